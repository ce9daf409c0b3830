/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the readers of results share: archive.c goes through the lines,
 * read_tsv.c and read_table.c take what is theirs.
 */
#ifndef FLASHBENCH_ARCHIVE_IMPL_H
#define FLASHBENCH_ARCHIVE_IMPL_H

#include "archive.h"

#define TSV_COLUMNS	16

/**
 * struct settings - what the last command line, or a header, says
 * @known: there was one
 * @kind: the test
 * @params: its keys; those that cannot be read are not in @readable
 * @readable: bits of enum fb_key
 */
struct settings {
	bool known;
	enum result_kind kind;
	struct fb_params params;
	u32 readable;
};

/**
 * struct words - a table in the making, word by word
 * @settings: of the table
 * @in_command: of a command line
 * @device: which has named one
 * @doubtful: which has something in it that is not understood
 * @wants_value: the next word is the value of an option
 * @option: its key, FB_NR_KEYS: none that matters
 * @has_rates: a table of rates has begun, and there is only one
 * @field: of a row of align, 0: not in one
 * @align: the size
 * @ns: pre and on
 * @block: of a row of rates, 0: not in one
 * @column: of the next rate in it
 * @last: size of the row before
 */
struct words {
	struct settings settings;
	bool in_command;
	bool device;
	bool doubtful;
	bool wants_value;
	enum fb_key option;
	bool has_rates;
	int field;
	u64 align;
	s64 ns[2];
	u64 block;
	u32 column;
	u64 last;
};

/**
 * struct reader - a file being read
 * @archive: what was found
 * @now: the table that grows, NULL: none
 * @header: of the next one, "# " removed; NULL: none
 * @columns: of the .tsv rows to come, 0: none
 * @column: their meaning
 * @verdicts: verdict lines follow
 * @words: other tables
 */
struct reader {
	struct archive *archive;
	struct result *now;
	char *header;
	u32 columns;
	u32 column[TSV_COLUMNS];
	bool verdicts;
	struct words words;
};

struct result *reader_result(struct reader *r, enum result_kind kind,
			     const struct settings *s);
void reader_cell(struct reader *r, const struct cell *cell);
bool settings_from_header(struct settings *s, const char *line);

/* read_tsv.c */
bool tsv_columns(struct reader *r, const char *line);
bool tsv_row(struct reader *r, const char *line);

/* read_command.c */
bool command_begins(const char *word);
void command_start(struct words *w);
bool command_word(struct words *w, const char *word);

/* read_table.c */
void table_line(struct reader *r, char *line);

/* mend.c */
void mend(char *text);
bool mended_time(const char *word, s64 *ns);
bool mended_rate(const char *word, u64 *rate);
bool mended_size(const char *word, u64 *bytes);
bool mended_number(const char *word, u64 *n);

#endif
