#include "live/drain/cpu_elf.h"
#include "base/file.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

const void *
sb_cpu_elf_at(const struct sb_cpu_elf *e, uint64_t offset, uint64_t count, uint64_t each)
{
    return offset <= e->n && each > 0 && count <= (e->n - offset) / each && offset % 8 == 0 ? e->p + offset
                                                                                            : NULL;
}

static bool
read_head(struct sb_cpu_elf *e)
{
    e->head = sb_cpu_elf_at(e, 0, 1, sizeof *e->head);
    if (!e->head || memcmp(e->head->e_ident, ELFMAG, SELFMAG) != 0 ||
        e->head->e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    e->section = sb_cpu_elf_at(e, e->head->e_shoff, e->head->e_shnum, sizeof *e->section);
    return e->section != NULL;
}

bool
sb_cpu_elf_open(struct sb_cpu_elf *e, uint32_t pid, const char *path)
{
    char place[300];
    struct stat st;
    *e = (struct sb_cpu_elf){0};
    snprintf(place, sizeof place, "/proc/%u/root%s", pid, path);
    SB_SCOPED_FD int fd = open(place, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p != MAP_FAILED)
            *e = (struct sb_cpu_elf){.p = p, .n = (uint64_t)st.st_size};
    }
    if (e->p && read_head(e))
        return true;
    sb_cpu_elf_close(e);
    return false;
}

void
sb_cpu_elf_close(struct sb_cpu_elf *e)
{
    if (e->p)
        munmap((void *)e->p, e->n);
    *e = (struct sb_cpu_elf){0};
}

bool
sb_cpu_elf_address(const struct sb_cpu_elf *e, uint64_t offset, uint64_t *address)
{
    const Elf64_Phdr *p = sb_cpu_elf_at(e, e->head->e_phoff, e->head->e_phnum, sizeof *p);
    for (unsigned i = 0; p && i < e->head->e_phnum; i++)
        if (p[i].p_type == PT_LOAD && offset >= p[i].p_offset && offset - p[i].p_offset < p[i].p_filesz) {
            *address = offset - p[i].p_offset + p[i].p_vaddr;
            return true;
        }
    return false;
}

const Elf64_Shdr *
sb_cpu_elf_section(const struct sb_cpu_elf *e, const char *name)
{
    size_t n = strlen(name) + 1;
    if (e->head->e_shstrndx >= e->head->e_shnum)
        return NULL;
    const Elf64_Shdr *texts = &e->section[e->head->e_shstrndx];
    for (unsigned i = 0; i < e->head->e_shnum; i++)
        if (texts->sh_offset <= e->n && texts->sh_size <= e->n - texts->sh_offset &&
            e->section[i].sh_name < texts->sh_size && n <= texts->sh_size - e->section[i].sh_name &&
            memcmp(e->p + texts->sh_offset + e->section[i].sh_name, name, n) == 0)
            return &e->section[i];
    return NULL;
}
