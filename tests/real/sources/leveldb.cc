#include <leveldb/db.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>
int main() {
  char folder[] = "ldbXXXXXX";
  if (mkdtemp(folder) == nullptr) return 9;
  leveldb::DB* db;
  leveldb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 8192;  // compacts in the background all the time
  if (!leveldb::DB::Open(options, folder, &db).ok()) return 2;
  std::vector<std::thread> writers;
  const auto key = [](int i, int k) { return "k" + std::to_string(i * 100 + k); };
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([=] {
      for (int k = 0; k < 60; ++k) db->Put({}, key(i, k), std::string(50, 'a' + i));
    });
  for (auto& writer : writers) writer.join();
  int wrong = 0;
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 60; ++k) {
      std::string value;
      wrong += !db->Get({}, key(i, k), &value).ok() || value != std::string(50, 'a' + i);
    }
  delete db;
  leveldb::DestroyDB(folder, options);
  rmdir(folder);
  return wrong;
}
