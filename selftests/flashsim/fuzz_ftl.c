// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any description, and if it is one of a card, any operations on it. The input
 * is the description up to a NUL, then four bytes for each operation.
 */
#include "check.h"
#include "config.h"
#include "regs.h"

#define MAX_PAGES	(1u << 20)	/* larger cards are only described */

static void broken(const char *what)
{
	fprintf(stderr, "%s\n", what);
	abort();
}

static void operate(struct ftl *ftl, const u8 *data, size_t len)
{
	u64 sectors = ftl->cfg.size / FTL_SECTOR;
	u64 now = 0, off, n;
	const char *wrong;

	for (; len >= 4; data += 4, len -= 4) {
		off = (data[1] | (u64)data[2] << 8) * 0x9e3779b1ull % sectors;
		n = 1 + data[3] % 128 * (data[0] & 0x80 ? 8 : 1);
		if (n > sectors - off)
			n = sectors - off;
		off *= FTL_SECTOR;
		n *= FTL_SECTOR;
		switch (data[0] & 7) {
		case 0:
		case 1:
			now += ftl_read(ftl, now, off, n);
			break;
		case 2:
			now += ftl_discard(ftl, now, off, n);
			break;
		case 3:
			now += ftl_flush(ftl, now);
			break;
		case 4:
			now += data[1] * 10000000ull;
			break;
		default:
			now += ftl_write(ftl, now, off, n);
		}
		wrong = check_card(ftl);
		if (wrong)
			broken(wrong);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct fsim_config cfg;
	static struct fsim_regs regs;
	char reason[FSIM_REASON_LEN] = "", line[256];
	const u8 *end = memchr(data, 0, size);
	struct ftl *ftl;
	unsigned int i;

	if (!end)
		return 0;
	if (fsim_config_parse(&cfg, (const char *)data, reason)) {
		if (!reason[0])
			broken("refused without a reason");
		return 0;
	}
	for (i = 0; !fsim_config_line(&cfg, i, line, sizeof(line)); i++)
		;
	fsim_regs_make(&regs, &cfg, reason);
	if (cfg.ftl.size / cfg.ftl.page > MAX_PAGES)
		return 0;
	ftl = ftl_create(&cfg.ftl);
	if (!ftl)
		return 0;
	operate(ftl, end + 1, size - (end + 1 - data));
	ftl_destroy(ftl);
	return 0;
}
