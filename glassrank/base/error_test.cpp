#include "glassrank/base/error.h"

#include <cerrno>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

TEST(Error, ReadsFromTheOutermostContextToTheMessage) {
  Error error(ErrorKind::kInput, "feature 139 after feature 140");
  error.add_context("train.txt:1042:17").add_context("reading training data");
  EXPECT_STREQ(error.what(),
               "reading training data: train.txt:1042:17: feature 139 after feature 140");
  EXPECT_EQ(error.message(), "feature 139 after feature 140");
  EXPECT_EQ(error.context(),
            (std::vector<std::string>{"reading training data", "train.txt:1042:17"}));
}

TEST(Error, FailFormatsItsMessage) {
  try {
    fail(ErrorKind::kUsage, "{} = {}", "k", 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_STREQ(error.what(), "k = 3");
  }
}

TEST(Error, FailErrnoGivesTheSystemsReason) {
  errno = ENOENT;
  try {
    fail_errno("open", "x.txt");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
    EXPECT_STREQ(error.what(), "cannot open 'x.txt': No such file or directory");
  }
}

}  // namespace
}  // namespace glassrank
