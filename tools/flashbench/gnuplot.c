// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program gnuplot: a script goes in, a picture comes out.
 *
 * The script is a file without a name, the picture comes by a pipe: so no name
 * of a file is ever part of the script.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "gnuplot.h"

#define STATUS_NO_GNUPLOT	127

/**
 * gnuplot_quote() - text as a string of gnuplot
 * @text: any bytes
 * @f: the script
 *
 * Between single quotes gnuplot expands nothing: no backslashes, backquotes,
 * macros. So only the quote itself is doubled; what is no printable ASCII
 * becomes "?", line ends first of all. The micro sign is the one exception.
 */
void gnuplot_quote(const char *text, FILE *f)
{
	fputc('\'', f);
	for (; *text; text++) {
		if (!strncmp(text, "µ", 2)) {
			fputs("µ", f);
			text++;
			continue;
		}
		if (*text == '\'')
			fputc('\'', f);
		fputc(*text < ' ' || *text > '~' ? '?' : *text, f);
	}
	fputc('\'', f);
}

static void be_gnuplot(int script, int picture)
{
	if (dup2(script, STDIN_FILENO) >= 0 &&
	    dup2(picture, STDOUT_FILENO) >= 0)
		/* -d: no settings of the user's own */
		execlp("gnuplot", "gnuplot", "-d", (char *)NULL);
	_exit(STATUS_NO_GNUPLOT);
}

/* All that can be read from @fd */
static char *read_all(int fd, size_t *size)
{
	size_t room = 65536;
	char *data = need_memory(malloc(room + 1));
	ssize_t got;

	*size = 0;
	while ((got = read(fd, data + *size, room - *size)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		*size += got;
		if (*size == room) {
			room *= 2;
			data = need_memory(realloc(data, room + 1));
		}
	}
	data[*size] = '\0';
	return data;
}

/* Returns the status of the program, -1 if it did not end by itself */
static int run_gnuplot(FILE *script, char **data, size_t *size)
{
	int status, fd[2];
	pid_t pid;

	if (pipe(fd))
		return -1;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(fd[0]);
		be_gnuplot(fileno(script), fd[1]);
	}
	close(fd[1]);
	*data = read_all(fd[0], size);
	close(fd[0]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/**
 * gnuplot_there() - can pictures be drawn?
 *
 * Return: false if there is no gnuplot.
 */
bool gnuplot_there(void)
{
	FILE *script = tmpfile();
	bool there;
	char *data = NULL;
	size_t size;

	if (!script)
		return false;
	there = run_gnuplot(script, &data, &size) == 0;
	free(data);
	fclose(script);
	return there;
}

/**
 * gnuplot_draw() - draw a chart
 * @c: the chart
 * @format: of the picture
 * @size: set to the bytes in it
 *
 * Return: the picture, to be freed; NULL after a complaint.
 */
char *gnuplot_draw(const struct chart *c, enum picture format, size_t *size)
{
	FILE *script = tmpfile();
	char *data = NULL;
	int status;

	if (!script) {
		complain("no temporary file: %s", strerror(errno));
		return NULL;
	}
	gnuplot_script(c, format, script);
	if (fflush(script) || lseek(fileno(script), 0, SEEK_SET)) {
		complain("temporary file: %s", strerror(errno));
		fclose(script);
		return NULL;
	}
	status = run_gnuplot(script, &data, size);
	fclose(script);
	if (!status && *size)
		return data;
	if (status == STATUS_NO_GNUPLOT)
		complain("gnuplot is missing; apt-get install gnuplot-nox");
	else
		complain("gnuplot failed");
	free(data);
	return NULL;
}
