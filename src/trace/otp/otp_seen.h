/* The caches of a decoder: values that it recognises by their bytes. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct otp_tag;

/* A name: its bytes in the file, and its id in the dictionary. */
enum { OTP_SEEN_BITS = 12, OTP_SEEN_PLACES = 4, OTP_SEEN_BYTES = 104 };
struct otp_seen {
    uint64_t hash;
    uint32_t id, arity;
    uint16_t n;
    uint8_t raw[OTP_SEEN_BYTES];
};

/* An atom of up to 16 bytes with its header; padded with zeros. */
enum { OTP_SHORT_BITS = 8 };
struct otp_short {
    uint64_t word[2];
    uint32_t id;
};

/* A node as it is written in pids: the bytes of its atom, and its creation. */
struct otp_node {
    uint8_t raw[264];
    uint32_t n, creation;
    unsigned index;
    bool known;
};

/* Known starts of records, and the tags that follow each: see otp_ends.h */
enum { OTP_STARTS = 16, OTP_TAG_BITS = 5, OTP_TAG_PLACES = 4 };
struct otp_known_tag {
    uint64_t word[2], mask[2];
    const struct otp_tag *tag;
    uint32_t n;
};
struct otp_start {
    uint8_t raw[304];
    uint32_t n, creation;
    unsigned left; /* elements between the tag and the time stamp */
    struct otp_known_tag tag[(1 << OTP_TAG_BITS) + OTP_TAG_PLACES];
};
