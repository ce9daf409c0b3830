# SPDX-License-Identifier: GPL-2.0-only
#
# For people. What is built, and from what, is in Kbuild.

KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local

# What make install installs, below DESTDIR
bin := $(DESTDIR)$(PREFIX)/bin/flashbench
man := $(DESTDIR)$(PREFIX)/share/man/man1/flashbench.1
completion := $(DESTDIR)$(PREFIX)/share/bash-completion/completions/flashbench

.PHONY: all modules modules_install clean check demo lint unit kunit help
.PHONY: command install uninstall kernel-patch kernel-link have-kdir have-tree

all: modules

modules modules_install: have-kdir
	$(MAKE) -C $(KDIR) M=$(CURDIR) $@

clean: have-kdir
	$(MAKE) -C $(KDIR) M=$(CURDIR) $@
	$(MAKE) -C tools/flashbench $@

command:
	$(MAKE) -C tools/flashbench

install: command
	install -D -m 755 tools/flashbench/build/flashbench $(bin)
	install -D -m 644 Documentation/flashbench.1 $(man)
	install -D -m 644 tools/flashbench/completion.bash $(completion)

uninstall:
	$(RM) $(bin) $(man) $(completion)

have-kdir:
	@test -e $(KDIR)/Makefile || { \
		echo "no kernel headers in $(KDIR): install those of the running" \
		     "kernel, or say make KDIR=/path/to/them" >&2; exit 1; }

check:
	tools/lab check

demo:
	tools/lab demo

lint:
	tools/lint

unit:
	$(MAKE) -C selftests/unit check

kunit:
	tools/kunit

have-tree:
	@test -n "$(TREE)" || { \
		echo "say make $(MAKECMDGOALS) TREE=/path/to/linux" >&2; exit 1; }

kernel-patch: have-tree
	@tools/kernel-patch $(TREE)

kernel-link: have-tree
	@tools/kernel-link $(TREE)

help:
	@echo 'make                  build flashbench.ko for the running kernel'
	@echo 'make modules_install  install it'
	@echo 'make command          build the command flashbench'
	@echo 'make install          install the command, its manual page and its'
	@echo '                      completion, but not the module; make uninstall'
	@echo 'make clean            remove what was built'
	@echo 'make demo             measure an SD card in a virtual machine'
	@echo 'make check            all tests, most of them in virtual machines'
	@echo 'make unit             unit tests of the pure files, in user space'
	@echo 'make kunit            the KUnit suites, in a user-mode kernel'
	@echo 'make lint             checkpatch, sparse, W=1, shellcheck and others'
	@echo 'make kernel-patch TREE=DIR   print a patch that adds flashbench to a'
	@echo '                             kernel tree'
	@echo 'make kernel-link TREE=DIR    link flashbench into a kernel tree'
	@echo ''
	@echo 'KDIR=DIR builds against the kernel headers, or the built kernel tree,'
	@echo 'in DIR. PREFIX=DIR installs the command there instead of in'
	@echo '/usr/local, DESTDIR=DIR below another root directory.'
