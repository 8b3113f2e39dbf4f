/* Wine 8 lacks this library, from which Rust's standard library takes random numbers. Only for tests under wine: every
 * Windows has its own. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    while (length > 0) {
        ULONG part = length < 0x10000 ? (ULONG)length : 0x10000;
        if (!RtlGenRandom(data, part)) {
            return FALSE;
        }
        data += part;
        length -= part;
    }
    return TRUE;
}
