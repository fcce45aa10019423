// sizes: 3
// The place for a new element is found under the lock, and used after the lock was given back in between.
#include <mutex>

#include "hunt.h"

struct Element {
  int key;
  Element* next;
};
static Element elements[THREADS + 1];
static std::mutex mutex;

static Element* place_for(int key) {
  std::lock_guard lock(mutex);
  Element* before = &elements[0];
  while (before->next != nullptr && before->next->key < key) before = before->next;
  return before;
}

static void insert(Element& element, Element* before) {
  std::lock_guard lock(mutex);
  element.next = before->next;
  before->next = &element;
}

int main() {
  crowd(THREADS, [](int i) {
    elements[i + 1].key = i + 1;
    insert(elements[i + 1], place_for(i + 1));
  });
  int last = 0;
  for (Element* element = elements[0].next; element != nullptr; element = element->next) {
    EXPECT(element->key > last);
    last = element->key;
  }
}
