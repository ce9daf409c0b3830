#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What tools/lab shell begins with in the virtual machine.
# Arguments: rows and columns of the terminal

[ "${1:-0}" = 0 ] || stty rows "$1" cols "$2"
insmod /lab/flashbench.ko
cd /sys/kernel/debug/flashbench || cd /

cat <<'EOF'

flashbench.ko is loaded; /dev/mmcblk0 is an SD card of 1 GiB, /dev/vda a
virtio disk. Time is virtual: waiting costs nothing, numbers repeat.

  echo mmcblk0 > target                   choose the card
  cat info; cat tests                     what it is; what can be run
  echo align > run; cat results/align
  echo destroy > write_mode               OVERWRITES the card
  echo open-au > run; cat results/open-au
  dmesg; poweroff

EOF

cat >/lab/profile <<'EOF'
alias poweroff='poweroff -f' reboot='reboot -f'
PS1='\w # '
EOF
ENV=/lab/profile exec sh -i
