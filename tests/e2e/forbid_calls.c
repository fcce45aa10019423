// forbid_calls userfaultfd|dispatch COMMAND...: runs the command where a filter refuses that call, as a container's
// does.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kSetDispatch = 59 };  // PR_SET_SYSCALL_USER_DISPATCH

int main(int count, char** words) {
  if (count < 3) return 2;
  const int is_dispatch = strcmp(words[1], "dispatch") == 0;
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(is_dispatch ? SYS_prctl : SYS_userfaultfd), 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, is_dispatch ? offsetof(struct seccomp_data, args) : 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, is_dispatch ? kSetDispatch : SYS_userfaultfd, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 3;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return 3;
  execvp(words[2], words + 2);
  return 127;
}
