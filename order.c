// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reproducible orders and data: everything follows from a seed.
 */
#include "pure.h"

/**
 * fb_hash() - mix the bits of a number
 * @x: any number
 *
 * One step of splitmix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom
 * Number Generators" (OOPSLA 2014), with the constants of David Stafford's
 * variant 13, which Sebastiano Vigna put into the public domain in
 * splitmix64.c. It is a bijection, so different numbers stay different.
 *
 * Return: a number in which each bit depends on all bits of @x.
 */
u64 fb_hash(u64 x)
{
	x += 0x9e3779b97f4a7c15ULL;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* With fewer, some orders of 4 to 6 elements come up more often than others */
#define FEISTEL_ROUNDS	10

/*
 * A balanced Feistel network on numbers of 2 * @half_bits bits. A round maps
 * (left, right) to (right, left ^ f(right)), which can be undone whatever f
 * is, so the whole is a bijection. Rounds are even permutations (from 4 bits
 * on); swapping two numbers for half of the keys is what makes it possible to
 * get to every order.
 */
static u64 feistel(u64 x, u64 key, unsigned int half_bits)
{
	u64 mask = (1ULL << half_bits) - 1;
	u64 left, right, round;

	key = fb_hash(key);
	if (x < 2)
		x ^= key & 1;
	left = x >> half_bits;
	right = x & mask;
	for (round = 0; round < FEISTEL_ROUNDS; round++) {
		u64 mixed = left ^ (fb_hash(key ^ round << 32 ^ right) & mask);

		left = right;
		right = mixed;
	}
	return left << half_bits | right;
}

/**
 * fb_permute() - an element of a random order, without a table of it
 * @n: number of elements, at least 1
 * @key: which order
 * @i: place in the order, below @n
 *
 * The network permutes the numbers below 4^k, the first such power that is not
 * less than @n. Where it leads out of the numbers below @n it is applied again
 * until it comes back. It must, at the latest to @i itself, because
 * a permutation consists of cycles; and two places cannot come to the same
 * element, because each cycle is only shortened by what lies outside. So this
 * is a bijection of the numbers below @n. All walks together visit no number
 * twice, hence take at most 4^k <= 4 * @n steps: 4 each on average, or less.
 *
 * Return: the element at this place, below @n.
 */
u64 fb_permute(u64 n, u64 key, u64 i)
{
	/* one bit even for one element: two numbers are there to be swapped */
	unsigned int half_bits = max(DIV_ROUND_UP(fls64(n - 1), 2), 1);

	do {
		i = feistel(i, key, half_bits);
	} while (i >= n);
	return i;
}

/**
 * fb_fill_random() - data that cannot be compressed
 * @buf: where it goes
 * @len: how much, bytes
 * @seed: which data; the same for the same seed (on machines of the same byte
 *	order)
 */
void fb_fill_random(void *buf, size_t len, u64 seed)
{
	u64 counter = fb_hash(seed);
	u8 *p = buf;

	while (len) {
		u64 word = fb_hash(counter++);
		size_t bytes = min(len, sizeof(word));

		memcpy(p, &word, bytes);
		p += bytes;
		len -= bytes;
	}
}
