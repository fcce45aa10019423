// SHA-256 and HMAC against published vectors; and what a mark is bound to.
#include "explore/campaign/mark.h"

#include <gtest/gtest.h>

#include "explore/campaign/sha256.h"

namespace snarl::explore {
namespace {

TEST(Sha256, KnowsThePublishedDigests) {  // FIPS 180-4's examples, and the empty text
  EXPECT_EQ(hex_of(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex_of(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex_of(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex_of(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(HmacSha256, KnowsTheVectorsOfRfc4231) {
  const struct {
    std::string key, text;
    const char* digest;
  } cases[] = {
      {std::string(20, '\x0b'), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
      {"Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
      {std::string(20, '\xaa'), std::string(50, '\xdd'),
       "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
      {std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
       "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
      {std::string(131, '\xaa'),
       "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
       "hashed "
       "before being used by the HMAC algorithm.",
       "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"}};
  for (const auto& c : cases) EXPECT_EQ(hex_of(hmac_sha256(c.key, c.text)), c.digest) << c.text;
}

TEST(Sha256, DigestsAreTheSameInEveryByte) {
  const Digest digest = sha256("a");
  EXPECT_TRUE(is_same(digest, digest));
  for (size_t i = 0; i < digest.size(); ++i) {
    Digest other = digest;
    other[i] ^= 1;
    EXPECT_FALSE(is_same(digest, other)) << i;
  }
}

const std::string kKey(32, 'k'), kFolder = "/home/ann/a b", kSchedule = "snarl-schedule 1\nargv ./bank\n",
                                 kInput = "yes\n";

std::string a_mark() { return mark_text(kKey, {kFolder, kSchedule, kInput}); }

TEST(Mark, NamesTheFolderOfWhatItWasMadeFor) {
  EXPECT_EQ(marked_folder(kKey, a_mark(), kSchedule, kInput), kFolder);
  EXPECT_EQ(marked_folder(kKey, mark_text(kKey, {kFolder, kSchedule, {}}), kSchedule, {}), kFolder);
}

TEST(Mark, IsBoundToEveryPart) {
  EXPECT_FALSE(marked_folder(std::string(32, 'x'), a_mark(), kSchedule, kInput));
  EXPECT_FALSE(marked_folder(kKey, a_mark(), kSchedule + " ", kInput));
  EXPECT_FALSE(marked_folder(kKey, a_mark(), kSchedule, "no\n"));
  EXPECT_FALSE(marked_folder(kKey, a_mark(), kSchedule, std::nullopt)) << "the input was taken away";
  EXPECT_FALSE(marked_folder(kKey, mark_text(kKey, {kFolder, kSchedule, {}}), kSchedule, "")) << "or added";
  EXPECT_FALSE(marked_folder(kKey, a_mark(), kSchedule + kInput, "")) << "or moved";
  EXPECT_FALSE(marked_folder("", mark_text("", {kFolder, kSchedule, kInput}), kSchedule, kInput)) << "without a key";
  std::string other = a_mark();
  other.replace(other.find("ann"), 3, "bob");
  EXPECT_FALSE(marked_folder(kKey, other, kSchedule, kInput));
}

TEST(Mark, OfAnotherShapeIsNone) {
  const std::string mark = a_mark();
  for (size_t size = 0; size < mark.size(); ++size)
    EXPECT_FALSE(marked_folder(kKey, mark.substr(0, size), kSchedule, kInput)) << size;
  EXPECT_FALSE(marked_folder(kKey, mark + "\n", kSchedule, kInput));
  for (size_t at = 0; at < mark.size(); ++at) {
    std::string changed = mark;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_FALSE(marked_folder(kKey, changed, kSchedule, kInput)) << at;
  }
}

}  // namespace
}  // namespace snarl::explore
