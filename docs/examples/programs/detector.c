/* A detector of patterns in C: cc -O2 -o detector detector.c && ./detector
 * Reads cases, a line of JSON each, and answers each by a line (docs/howto/judge-a-program.md). It reads just what is
 * written there: {"case": 7, "pattern": "…", "events": [[time, "type", value], …]}, with event types as JSON writes
 * them, which are compared as they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long long Time;
typedef struct { Time end, start; } Match;
typedef struct Part {
    char operator; /* 'e' for an event, '[' for the restriction, else as it is written */
    char *event;
    Time bound, now;
    struct Part *left, *right;
    Match *matches; /* the latest start at each end so far */
    size_t count, room;
} Part;

static char *at; /* where the pattern is read */

static void *got(void *memory) {
    if (!memory) { fputs("no memory\n", stderr); exit(1); }
    return memory;
}

static Part *part(char operator, Part *left, Part *right) {
    Part *made = got(calloc(1, sizeof *made));
    made->operator = operator; made->left = left; made->right = right;
    return made;
}

static void blanks(void) { while (*at == ' ') at++; }

/* The end of a text in quotes that begins here; a backslash takes the next character along. */
static char *quoted(char *from) {
    for (from++; *from && *from != '"'; from++)
        if (*from == '\\' && from[1]) from++;
    return from;
}

static Part *chain(void);

static Part *operand(void) {
    Part *found;
    blanks();
    if (*at == '(') {
        at++;
        found = chain();
        if (found && *at == ')') at++; else return NULL;
    } else {
        char *begin = at;
        while (*at && !strchr(" |+-;()[]", *at)) at++;
        if (at == begin) return NULL;
        found = part('e', NULL, NULL);
        found->event = got(strndup(begin, (size_t)(at - begin)));
    }
    while (*at == '[') {
        found = part('[', found, NULL);
        found->bound = strtoll(at + 1, &at, 10);
        if (*at++ != ']') return NULL;
    }
    return found;
}

static Part *chain(void) {
    Part *found = operand();
    for (blanks(); found && *at && strchr("|+-;", *at); blanks()) {
        char operator = *at++;
        Part *right = operand();
        found = right ? part(operator, found, right) : NULL;
    }
    return found;
}

/* The latest start of the matches that end before a time; -1 where there is none. */
static Time latest(const Part *of, Time before) {
    Time found = -1;
    for (size_t i = 0; i < of->count && of->matches[i].end < before; i++)
        if (of->matches[i].start > found) found = of->matches[i].start;
    return found;
}

static Time least(Time a, Time b) { return a < b ? a : b; }
static Time most(Time a, Time b) { return a > b ? a : b; }

static Time step(Part *of, Time time, char **types, size_t count) {
    Time left = of->left ? step(of->left, time, types, count) : -1;
    Time right = of->right ? step(of->right, time, types, count) : -1;
    of->now = -1;
    switch (of->operator) {
    case 'e':
        for (size_t i = 0; i < count; i++) if (!strcmp(types[i], of->event)) of->now = time;
        break;
    case '|': of->now = most(left, right); break;
    case '+':
        of->now = most(least(left, latest(of->right, time + 1)), least(latest(of->left, time + 1), right));
        break;
    case '-': of->now = left > latest(of->right, time + 1) ? left : -1; break;
    case ';': of->now = right >= 0 ? latest(of->left, right) : -1; break;
    case '[': of->now = left >= 0 && time - left <= of->bound ? left : -1; break;
    }
    if (of->now >= 0) {
        if (of->count == of->room) {
            of->room = 2 * of->room + 8;
            of->matches = got(realloc(of->matches, of->room * sizeof *of->matches));
        }
        of->matches[of->count++] = (Match){time, of->now};
    }
    return of->now;
}

static void let_go(Part *of) {
    if (!of) return;
    let_go(of->left); let_go(of->right);
    free(of->event); free(of->matches); free(of);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        long number = strtol(line + strlen("{\"case\": "), &at, 10);
        char *pattern = strstr(at, "\"pattern\": ") + strlen("\"pattern\": "), *end = quoted(pattern);
        at = memchr(pattern, '\\', (size_t)(end - pattern)) ? NULL : pattern + 1;
        *end = 0;
        Part *whole = at ? chain() : NULL;
        if (!whole || *at) {
            printf("{\"case\": %ld, \"refused\": \"only event types without quotes\"}\n", number);
            fflush(stdout);
            let_go(whole);
            continue;
        }
        printf("{\"case\": %ld, \"detections\": [", number);
        const char *between = "";
        size_t kinds = 0, kinds_room = 0;
        char **types = NULL;
        for (char *event = strstr(end + 1, "[["); event; ) {
            event += strspn(event, "[, ");
            Time time = strtoll(event, &event, 10), next = time;
            for (kinds = 0; event && next == time; ) {
                char *type = strchr(event, '"') + 1, *stop = quoted(type - 1);
                *stop = 0;
                if (kinds == kinds_room) types = got(realloc(types, (kinds_room = 2 * kinds_room + 8) * sizeof *types));
                types[kinds++] = type;
                for (event = stop + 1; *event && *event != ']'; event++) /* the value */
                    if (*event == '"') event = quoted(event);
                event = strncmp(event, "], [", 4) ? NULL : event + 4;
                if (event) next = strtoll(event, NULL, 10);
            }
            Time start = step(whole, time, types, kinds);
            if (start >= 0) {
                printf("%s{\"start\": %lld, \"end\": %lld}", between, start, time);
                between = ", ";
            }
        }
        puts("]}");
        fflush(stdout);
        free(types);
        let_go(whole);
    }
    free(line);
    return 0;
}
