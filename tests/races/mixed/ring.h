// A ring buffer of pointers for one producer and one consumer.
#pragma once

bool push(int* item);
bool pop(int*& item);
