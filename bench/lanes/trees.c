// Three threads insert into a tree under a lock and count: some thousand steps with calls, recursion, heap and doubles.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { kThreads = 3, kRounds = 56 };
struct node {
  struct node *left, *right;
  int key;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node* root;
static int counts[8];
static double sum;

static struct node* insert(struct node* tree, int key) {
  if (tree == 0) {
    struct node* made = malloc(sizeof *made);
    *made = (struct node){0, 0, key};
    return made;
  }
  if (key < tree->key)
    tree->left = insert(tree->left, key);
  else
    tree->right = insert(tree->right, key);
  return tree;
}

static int nodes(const struct node* tree) { return tree == 0 ? 0 : nodes(tree->left) + 1 + nodes(tree->right); }

static int odd(int x) { return x * 7; }
static int even(int x) { return x * 5 + 1; }
static int (*const steps[2])(int) = {odd, even};

static void* work(void* argument) {
  const int id = *(const int*)argument;
  for (int i = 0; i < kRounds; ++i) {
    const int at = steps[i & 1](i + id) & 7;
    pthread_mutex_lock(&mutex);
    ++counts[at];
    sum += 0.5 * at;
    if (i % 16 == 0) root = insert(root, (i * 37 + id * 11) % 101);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t threads[kThreads];
  int* ids = calloc(kThreads, sizeof *ids);
  for (int i = 0; i < kThreads; ++i) ids[i] = i, pthread_create(&threads[i], 0, work, &ids[i]);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  int all = 0;
  for (int i = 0; i < 8; ++i) all += counts[i];
  assert(all == kThreads * kRounds);
  assert(nodes(root) == kThreads * ((kRounds + 15) / 16));
  return 0;
}
