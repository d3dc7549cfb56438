#pragma once
#define assert(condition) ((void)0)
