/* A 64-bit ELF file of a process, as far as it names functions and says how to leave them. */
#pragma once
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sb_cpu_elf {
    const uint8_t *p; /* the file; NULL: it cannot be read */
    uint64_t n;
    const Elf64_Ehdr *head;
    const Elf64_Shdr *section; /* head->e_shnum of them */
};
bool sb_cpu_elf_open(struct sb_cpu_elf *e, uint32_t pid, const char *path); /* as the process sees the path */
void sb_cpu_elf_close(struct sb_cpu_elf *e);
/* A table of `count` entries of `each` bytes; NULL: it is not in the file. */
const void *sb_cpu_elf_at(const struct sb_cpu_elf *e, uint64_t offset, uint64_t count, uint64_t each);
/* The address of a position of the file, by which its symbols count; false: it is not loaded. */
bool sb_cpu_elf_address(const struct sb_cpu_elf *e, uint64_t offset, uint64_t *address);
const Elf64_Shdr *sb_cpu_elf_section(const struct sb_cpu_elf *e, const char *name); /* NULL: none */
