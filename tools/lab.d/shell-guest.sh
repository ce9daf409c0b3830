#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What tools/lab shell begins with in the virtual machine.
# Arguments: rows and columns of the terminal

[ "${1:-0}" = 0 ] || stty rows "$1" cols "$2"
. /selftests/sim.sh
insmod /lab/flashbench.ko
card=mmcblk0
what="an SD card of QEMU's"
if [ -e /lab/card ]; then
	sim_load "$(cat /lab/card)" && card=$dev
	what="a simulated card"
fi
cd /sys/kernel/debug/flashbench || cd /

cat <<EOF

flashbench.ko is loaded; /dev/$card is $what, /dev/vda a
virtio disk. Time is virtual: waiting costs nothing, numbers repeat.

  flashbench geometry /dev/$card        what is it?
  flashbench --help                       what else the command can do
Or by hand:
  echo $card > target                   choose the card
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
