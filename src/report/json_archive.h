// One list of fields per struct, read and written by the same function:
//
//   template <typename Archive> void fields(Archive& a, Bound& b) { a("policy", b.policy); a("depth", b.depth); }
//
// `a(key, value)` is always written and must be there when read; `a.maybe(key, value)` is
// left out when empty; `a.added(key, value)` is always written, but may be missing in a file of an
// older version. `wide` and `maybe_wide` are for values that use all 64 bits: they are written as text ("0x5eed"),
// because most readers keep numbers as doubles, which cut those above 2^53. An enumeration is written as its name
// (name_of); `maybe` leaves its first value out. `thread` is for ordinals ("T1"; kNobody is left out), `index` for
// indices (kNoIndex is left out), `settings` for what a replay needs of them (schedule/settings_text.h). The reader
// checks types and ranges and throws BadField, which read_json turns into an Error. Only for the .cc files of this
// folder.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "report/thread_name.h"
#include "schedule/misuse.h"
#include "schedule/settings_text.h"

namespace snarl::report {

using nlohmann::json;

struct BadField {
  std::string what;
};

constexpr uint32_t kNoIndex = 0xffffffff;

inline std::string wide_text(uint64_t value) { return fmt::format("{:#x}", value); }

class JsonWriter {
 public:
  static constexpr bool kWrites = true;

  template <typename T>
  void operator()(const char* key, T& value) {
    object_[key] = put(value);
  }
  template <typename T>
  void maybe(const char* key, T& value) {
    if constexpr (std::is_enum_v<T>)
      if (value == T{}) return;
    json j = put(value);
    if (!is_nothing(j)) object_[key] = std::move(j);
  }
  template <typename T>
  void added(const char* key, T& value) {
    (*this)(key, value);
  }
  void wide(const char* key, uint64_t value) { object_[key] = wide_text(value); }
  void maybe_wide(const char* key, uint64_t value) {
    if (value != 0) wide(key, value);
  }
  void thread(const char* key, uint32_t ordinal) {
    if (ordinal != kNobody) object_[key] = thread_name(ordinal);
  }
  void index(const char* key, uint32_t value) {
    if (value != kNoIndex) object_[key] = value;
  }
  void settings(const char* key, const RunSettings& settings) {
    json words = json::object();
    for (const SettingLine& line : setting_lines())
      if (const std::string word = line.text(settings); !word.empty()) words[line.keyword] = word;
    object_[key] = std::move(words);
  }
  json take() { return std::move(object_); }

 private:
  static bool is_nothing(const json& j) {
    return j.is_null() || (j.is_string() && j.get_ref<const std::string&>().empty()) ||
           ((j.is_array() || j.is_object()) && j.empty()) || j == json(false) || (j.is_number() && j == json(0));
  }
  template <typename T>
  static json put(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
      return value;
    } else if constexpr (std::is_enum_v<T>) {
      return name_of(value);
    } else {
      JsonWriter inner;
      fields(inner, value);
      return inner.take();
    }
  }
  template <typename T>
  static json put(std::vector<T>& values) {
    json array = json::array();
    for (T& value : values) array.push_back(put(value));
    return array;
  }
  template <typename T>
  static json put(std::optional<T>& value) {
    return value ? put(*value) : json(nullptr);
  }

  json object_ = json::object();
};

class JsonReader {
 public:
  static constexpr bool kWrites = false;

  JsonReader(const json& object, std::string path) : object_(object), path_(std::move(path)) {
    if (!object.is_object()) throw BadField{where("") + "expected an object"};
  }

  template <typename T>
  void operator()(const char* key, T& value) {
    if (!object_.contains(key)) throw BadField{where(key) + "is missing"};
    get(object_[key], value, where_path(key));
  }
  template <typename T>
  void maybe(const char* key, T& value) {
    if (object_.contains(key)) get(object_[key], value, where_path(key));
  }

  template <typename T>
  void added(const char* key, T& value) {
    maybe(key, value);
  }
  void wide(const char* key, uint64_t& value) {
    std::string text;
    (*this)(key, text);
    get_wide(text, value, where_path(key));
  }
  void maybe_wide(const char* key, uint64_t& value) {
    if (object_.contains(key)) wide(key, value);
  }
  void thread(const char* key, uint32_t& ordinal) {
    std::string name;
    maybe(key, name);
    ordinal = name.empty() ? kNobody : 0;
    if (!name.empty() && name != thread_name(0)) get_number(name, "T", 10, ordinal, where_path(key));
  }
  void index(const char* key, uint32_t& value) {
    value = kNoIndex;
    maybe(key, value);
  }
  void settings(const char* key, RunSettings& settings) {
    if (!object_.contains(key)) throw BadField{where(key) + "is missing"};
    JsonReader words(object_[key], where_path(key));
    for (const SettingLine& line : setting_lines()) {
      std::string word;
      words.maybe(line.keyword, word);
      check(word.empty() || line.take(word, settings), words.where_path(line.keyword), line.expected);
    }
  }

 private:
  std::string where_path(const char* key) const { return path_.empty() ? key : path_ + "." + key; }
  std::string where(const char* key) const { return "'" + (*key ? where_path(key) : path_) + "': "; }

  static void check(bool good, const std::string& path, const char* expected) {
    if (!good) throw BadField{fmt::format("'{}': expected {}", path, expected)};
  }
  template <typename T>
  static void get(const json& j, T& value, const std::string& path) {
    if constexpr (std::same_as<T, bool>) {
      check(j.is_boolean(), path, "true or false");
      value = j.get<bool>();
    } else if constexpr (std::floating_point<T>) {
      check(j.is_number(), path, "a number");
      value = j.get<T>();
    } else if constexpr (std::integral<T>) {
      get_whole(j, value, path);
    } else if constexpr (std::same_as<T, std::string>) {
      check(j.is_string(), path, "a text");
      value = j.get<std::string>();
    } else if constexpr (std::is_enum_v<T>) {
      check(j.is_string(), path, "a text");
      get_named(j.get_ref<const std::string&>(), value, path);
    } else {
      JsonReader inner(j, path);
      fields(inner, value);
    }
  }
  static void get_wide(const std::string& text, uint64_t& value, const std::string& path) {
    get_number(text, "0x", 16, value, path);
  }
  template <typename T>
  static void get_number(std::string_view text, std::string_view prefix, int base, T& value, const std::string& path) {
    const bool begins = text.starts_with(prefix);
    check(begins, path, base == 16 ? "a text that begins with 0x" : "a thread, such as T1");
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + prefix.size(), end, value, base);
    check(error == std::errc() && rest == end, path,
          base == 16 ? "up to 16 hexadecimal digits" : "a thread, such as T1");
  }
  template <typename T>
  static void get_named(const std::string& text, T& value, const std::string& path) {
    const std::string_view none = name_of(static_cast<T>(0xff));
    for (int i = 0; i < 0xff && name_of(static_cast<T>(i)) != none; ++i) {
      value = static_cast<T>(i);
      if (text == name_of(value)) return;
    }
    check(false, path, "a name that this version knows");
  }
  template <typename T>
  static void get_whole(const json& j, T& value, const std::string& path) {
    check(j.is_number_integer(), path, "a whole number");
    const bool fits = j.is_number_unsigned() ? std::in_range<T>(j.get<uint64_t>()) : std::in_range<T>(j.get<int64_t>());
    check(fits, path, "a smaller number");
    value = j.get<T>();
  }
  template <typename T>
  static void get(const json& j, std::vector<T>& values, const std::string& path) {
    check(j.is_array(), path, "a list");
    values.clear();
    for (const json& item : j) {
      const std::string item_path = fmt::format("{}[{}]", path, values.size());
      get(item, values.emplace_back(), item_path);
    }
  }
  template <typename T>
  static void get(const json& j, std::optional<T>& value, const std::string& path) {
    value.reset();
    if (!j.is_null()) get(j, value.emplace(), path);
  }

  const json& object_;
  std::string path_;
};

template <typename T>
json write_json(const T& value, const char* schema) {
  JsonWriter writer;
  T copy = value;  // `fields` serves both directions, so it wants a variable
  fields(writer, copy);
  json j = writer.take();
  j["schema"] = schema;
  return j;
}

template <typename T>
Expected<T> read_json(const json& j, const char* schema) {
  if (!j.is_object() || !j.contains("schema") || j["schema"] != schema)
    return Error{fmt::format("not a file of the schema {}", schema)};
  try {
    T value;
    JsonReader reader(j, "");
    fields(reader, value);
    return value;
  } catch (const BadField& bad) {
    return Error{fmt::format("{}: {}", schema, bad.what)};
  }
}

// ASCII only, so that no text of the program drives a terminal; invalid UTF-8 becomes U+FFFD.
inline std::string json_text(const json& j) { return j.dump(1, ' ', true, json::error_handler_t::replace) + "\n"; }

}  // namespace snarl::report
