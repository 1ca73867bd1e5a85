// Prints the root of a Merkle tree over 4 KiB chunks of standard input, as specified in RFC 9162
// section 2.1.1. One call hashes each level of the tree in parallel.
//
//   c++ -std=c++17 merkle.cpp -o merkle $(pkg-config --cflags --libs lanesum)
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <lanesum.h>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::size_t chunk_len = 4096;
constexpr std::size_t digest_len = 32;

using Bytes = std::vector<unsigned char>;

void check(int status) {
    if (status != LANESUM_OK)
        throw std::runtime_error(lanesum_status_text(status));
}

// Returns the digests of consecutive messages: message i ends where message i + 1 begins.
Bytes hash(const Bytes &buffer, const std::vector<std::uint64_t> &offsets) {
    const std::size_t count = offsets.size() - 1;
    Bytes digests(count * digest_len);
    check(lanesum_hash_offsets(LANESUM_SHA256, buffer.data(), buffer.size(), offsets.data(), count,
                              digests.data(), digests.size(), nullptr));
    return digests;
}

// A leaf is the digest of a byte 0 and a chunk.
Bytes leaves(const Bytes &message) {
    Bytes buffer;
    std::vector<std::uint64_t> offsets{0};
    std::size_t at = 0;
    do {
        const std::size_t end = std::min(at + chunk_len, message.size());
        buffer.push_back(0);
        buffer.insert(buffer.end(), message.begin() + at, message.begin() + end);
        offsets.push_back(buffer.size());
        at = end;
    } while (at < message.size());
    return hash(buffer, offsets);
}

// A node is the digest of a byte 1 and two digests. An unpaired digest is copied to the next level.
Bytes parents(const Bytes &level) {
    const std::size_t pairs = level.size() / (2 * digest_len);
    Bytes buffer;
    std::vector<std::uint64_t> offsets{0};
    for (std::size_t i = 0; i < pairs; i++) {
        const auto pair = level.begin() + i * 2 * digest_len;
        buffer.push_back(1);
        buffer.insert(buffer.end(), pair, pair + 2 * digest_len);
        offsets.push_back(buffer.size());
    }
    Bytes up = hash(buffer, offsets);
    up.insert(up.end(), level.begin() + pairs * 2 * digest_len, level.end());
    return up;
}

} // namespace

int main() try {
    const Bytes message{std::istreambuf_iterator<char>(std::cin), {}};
    Bytes level = leaves(message);
    while (level.size() > digest_len)
        level = parents(level);
    for (const unsigned char byte : level)
        std::printf("%02x", byte);
    std::printf("\n");
    return 0;
} catch (const std::exception &error) {
    std::cerr << "merkle: " << error.what() << "\n";
    return 1;
}
