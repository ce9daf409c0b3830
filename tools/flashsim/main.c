// SPDX-License-Identifier: GPL-2.0-only
/*
 * flashsim: MMC hosts with simulated SD cards and eMMC in them.
 */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/module.h>

#include "flashsim.h"

#define MAX_CARDS	8

static char *card[MAX_CARDS];
static unsigned int nr_cards;
module_param_array(card, charp, &nr_cards, 0400);
MODULE_PARM_DESC(card,
		 "cards, separated by commas, each \"KEY=VALUE KEY=VALUE ...\"");

static struct device *main_device;
static struct fsim_host *main_hosts[MAX_CARDS];

static void main_destroy(void)
{
	unsigned int i;

	for (i = 0; i < nr_cards && main_hosts[i]; i++)
		fsim_host_destroy(main_hosts[i]);
	fsim_debugfs_exit();
	root_device_unregister(main_device);
}

static int __init flashsim_init(void)
{
	struct fsim_host *h;
	unsigned int i;

	if (!nr_cards) {
		nr_cards = 1;
		card[0] = "";
	}
	main_device = root_device_register(KBUILD_MODNAME);
	if (IS_ERR(main_device))
		return PTR_ERR(main_device);
	fsim_debugfs_init();
	for (i = 0; i < nr_cards; i++) {
		h = fsim_host_create(main_device, card[i]);
		if (IS_ERR(h)) {
			main_destroy();
			return PTR_ERR(h);
		}
		main_hosts[i] = h;
	}
	return 0;
}

static void __exit flashsim_exit(void)
{
	main_destroy();
}

module_init(flashsim_init);
module_exit(flashsim_exit);

MODULE_DESCRIPTION("Simulated SD cards and eMMC with a known flash translation layer");
MODULE_LICENSE("GPL");
