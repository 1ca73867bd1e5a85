    .cfi_startproc
    test rdx, rdx
    jz .Lsha256_x86_64_end
    push rbx
    .cfi_def_cfa_offset 16
    .cfi_offset rbx, -16
    push rbp
    .cfi_def_cfa_offset 24
    .cfi_offset rbp, -24
    push r12
    .cfi_def_cfa_offset 32
    .cfi_offset r12, -32
    push r13
    .cfi_def_cfa_offset 40
    .cfi_offset r13, -40
    push r14
    .cfi_def_cfa_offset 48
    .cfi_offset r14, -48
    push r15
    .cfi_def_cfa_offset 56
    .cfi_offset r15, -56
    sub rsp, 504
    .cfi_def_cfa_offset 560
    mov qword ptr [rsp + 32], rdi
    mov qword ptr [rsp + 48], rdx
    mov qword ptr [rsp + 40], rsi
    mov eax, dword ptr [rdi]
    mov dword ptr [rsp], eax
    mov ecx, dword ptr [rdi + 4]
    mov dword ptr [rsp + 4], ecx
    mov edx, dword ptr [rdi + 8]
    mov dword ptr [rsp + 8], edx
    mov ebx, dword ptr [rdi + 12]
    mov dword ptr [rsp + 12], ebx
    mov ebp, dword ptr [rdi + 16]
    mov dword ptr [rsp + 16], ebp
    mov r8d, dword ptr [rdi + 24]
    mov dword ptr [rsp + 24], r8d
    mov r9d, dword ptr [rdi + 28]
    mov dword ptr [rsp + 28], r9d
    mov edi, dword ptr [rdi + 20]
    mov dword ptr [rsp + 20], edi
    .p2align 6
.Lsha256_x86_64_block:
    mov rsi, qword ptr [rsp + 40]
    mov r10d, dword ptr [rsi]
    bswap r10d
    mov dword ptr [rsp + 56], r10d
    mov r11d, dword ptr [rsi + 4]
    bswap r11d
    mov dword ptr [rsp + 60], r11d
    mov r12d, dword ptr [rsi + 8]
    bswap r12d
    mov dword ptr [rsp + 64], r12d
    mov r13d, dword ptr [rsi + 12]
    bswap r13d
    mov dword ptr [rsp + 68], r13d
    mov r14d, dword ptr [rsi + 16]
    bswap r14d
    mov dword ptr [rsp + 72], r14d
    mov r15d, dword ptr [rsi + 20]
    bswap r15d
    mov dword ptr [rsp + 76], r15d
    mov r10d, dword ptr [rsi + 24]
    bswap r10d
    mov dword ptr [rsp + 80], r10d
    mov r11d, dword ptr [rsi + 28]
    bswap r11d
    mov dword ptr [rsp + 84], r11d
    mov r12d, dword ptr [rsi + 32]
    bswap r12d
    mov dword ptr [rsp + 88], r12d
    mov r13d, dword ptr [rsi + 36]
    bswap r13d
    mov dword ptr [rsp + 92], r13d
    mov r14d, dword ptr [rsi + 40]
    bswap r14d
    mov dword ptr [rsp + 96], r14d
    mov r15d, dword ptr [rsi + 44]
    bswap r15d
    mov dword ptr [rsp + 100], r15d
    mov r10d, dword ptr [rsi + 48]
    bswap r10d
    mov dword ptr [rsp + 104], r10d
    mov r11d, dword ptr [rsi + 52]
    bswap r11d
    mov dword ptr [rsp + 108], r11d
    mov r12d, dword ptr [rsi + 56]
    bswap r12d
    mov dword ptr [rsp + 112], r12d
    mov r13d, dword ptr [rsi + 60]
    bswap r13d
    mov dword ptr [rsp + 116], r13d
    add rsi, 64
    mov qword ptr [rsp + 40], rsi
    mov r10d, r8d
    xor r10d, edi
    mov r11d, ebp
    ror r11d, 6
    mov r12d, ebp
    ror r12d, 11
    and r10d, ebp
    mov r13d, dword ptr [rsp + 56]
    lea r9d, [r9 + r13 + 1116352408]
    mov r13d, ebp
    ror r13d, 25
    xor r11d, r12d
    xor r10d, r8d
    mov r12d, edx
    and r12d, ecx
    mov r14d, edx
    xor r14d, ecx
    add r9d, ebx
    mov r15d, eax
    ror r15d, 2
    mov esi, eax
    ror esi, 13
    xor r13d, r11d
    and r14d, eax
    sub r12d, ebx
    add r10d, r9d
    mov ebx, eax
    ror ebx, 22
    xor r15d, esi
    mov r9d, edi
    xor r9d, ebp
    add r14d, r12d
    add r13d, r10d
    xor ebx, r15d
    mov r10d, dword ptr [rsp + 60]
    lea r8d, [r8 + r10 + 1899447441]
    mov r10d, r13d
    ror r10d, 6
    mov r11d, r13d
    ror r11d, 11
    and r9d, r13d
    add r14d, r13d
    mov r12d, ecx
    and r12d, eax
    mov r15d, ecx
    xor r15d, eax
    add r8d, edx
    mov esi, r13d
    ror esi, 25
    xor r10d, r11d
    xor r9d, edi
    add ebx, r14d
    sub r12d, edx
    xor esi, r10d
    add r8d, r9d
    mov edx, ebx
    ror edx, 2
    mov r9d, ebx
    ror r9d, 13
    and r15d, ebx
    add esi, r8d
    mov r8d, r13d
    xor r8d, ebp
    mov r10d, ebx
    ror r10d, 22
    xor edx, r9d
    add r12d, r15d
    mov r9d, dword ptr [rsp + 64]
    lea edi, [rdi + r9 - 1245643825]
    mov r9d, esi
    ror r9d, 6
    mov r11d, esi
    ror r11d, 11
    and r8d, esi
    xor r10d, edx
    add r12d, esi
    add edi, ecx
    mov edx, esi
    ror edx, 25
    xor r9d, r11d
    xor r8d, ebp
    add r10d, r12d
    mov r11d, ebx
    and r11d, eax
    mov r12d, ebx
    xor r12d, eax
    xor edx, r9d
    add edi, r8d
    mov r8d, r10d
    ror r8d, 2
    mov r9d, r10d
    ror r9d, 13
    and r12d, r10d
    sub r11d, ecx
    add edx, edi
    mov ecx, esi
    xor ecx, r13d
    mov edi, r10d
    ror edi, 22
    xor r8d, r9d
    add r12d, r11d
    mov r9d, dword ptr [rsp + 68]
    lea ebp, [rbp + r9 - 373957723]
    mov r9d, edx
    ror r9d, 6
    mov r11d, edx
    ror r11d, 11
    and ecx, edx
    xor edi, r8d
    add r12d, edx
    add ebp, eax
    mov r8d, edx
    ror r8d, 25
    xor r9d, r11d
    xor ecx, r13d
    add edi, r12d
    mov r11d, r10d
    and r11d, ebx
    mov r12d, r10d
    xor r12d, ebx
    xor r8d, r9d
    add ebp, ecx
    mov ecx, edi
    ror ecx, 2
    mov r9d, edi
    ror r9d, 13
    and r12d, edi
    sub r11d, eax
    add r8d, ebp
    mov eax, edx
    xor eax, esi
    mov ebp, edi
    ror ebp, 22
    xor ecx, r9d
    add r12d, r11d
    mov r9d, r8d
    ror r9d, 6
    mov r11d, r8d
    ror r11d, 11
    mov r14d, dword ptr [rsp + 72]
    lea r13d, [r14 + r13 + 961987163]
    and eax, r8d
    xor ebp, ecx
    add r12d, r8d
    mov ecx, r8d
    ror ecx, 25
    xor r9d, r11d
    xor eax, esi
    add ebp, r12d
    add r13d, ebx
    mov r11d, edi
    and r11d, r10d
    mov r12d, edi
    xor r12d, r10d
    xor ecx, r9d
    mov r9d, ebp
    ror r9d, 2
    mov r14d, ebp
    ror r14d, 13
    add eax, r13d
    and r12d, ebp
    sub r11d, ebx
    mov ebx, r8d
    xor ebx, edx
    mov r13d, ebp
    ror r13d, 22
    xor r9d, r14d
    add ecx, eax
    add r12d, r11d
    mov eax, dword ptr [rsp + 76]
    lea eax, [rax + rsi + 1508970993]
    xor r13d, r9d
    add r12d, ecx
    mov r9d, ecx
    ror r9d, 6
    mov r11d, ecx
    ror r11d, 11
    and ebx, ecx
    add r13d, r12d
    mov r12d, ecx
    ror r12d, 25
    xor r9d, r11d
    xor ebx, edx
    add eax, r10d
    mov r11d, ebp
    and r11d, edi
    mov r14d, ebp
    xor r14d, edi
    xor r12d, r9d
    mov r9d, r13d
    ror r9d, 2
    mov r15d, r13d
    ror r15d, 13
    add ebx, eax
    and r14d, r13d
    sub r11d, r10d
    mov eax, r13d
    ror eax, 22
    xor r9d, r15d
    add r12d, ebx
    add r14d, r11d
    mov ebx, ecx
    xor ebx, r8d
    mov r10d, dword ptr [rsp + 80]
    lea edx, [r10 + rdx - 1841331548]
    xor eax, r9d
    add r14d, r12d
    mov r9d, r12d
    ror r9d, 6
    mov r10d, r12d
    ror r10d, 11
    and ebx, r12d
    add eax, r14d
    mov r11d, r12d
    ror r11d, 25
    xor r9d, r10d
    xor ebx, r8d
    add edx, edi
    mov r10d, r13d
    and r10d, ebp
    mov r14d, r13d
    xor r14d, ebp
    xor r11d, r9d
    mov r9d, eax
    ror r9d, 2
    mov r15d, eax
    ror r15d, 13
    add ebx, edx
    and r14d, eax
    sub r10d, edi
    mov edx, eax
    ror edx, 22
    xor r9d, r15d
    add r11d, ebx
    add r14d, r10d
    mov ebx, r12d
    xor ebx, ecx
    mov edi, dword ptr [rsp + 84]
    lea edi, [rdi + r8 - 1424204075]
    xor edx, r9d
    add r14d, r11d
    mov r8d, r11d
    ror r8d, 6
    mov r9d, r11d
    ror r9d, 11
    and ebx, r11d
    add edx, r14d
    mov r10d, r11d
    ror r10d, 25
    xor r8d, r9d
    xor ebx, ecx
    add edi, ebp
    mov r9d, eax
    and r9d, r13d
    mov r14d, eax
    xor r14d, r13d
    xor r10d, r8d
    mov r8d, edx
    ror r8d, 2
    mov r15d, edx
    ror r15d, 13
    add ebx, edi
    and r14d, edx
    sub r9d, ebp
    mov ebp, edx
    ror ebp, 22
    xor r8d, r15d
    add r10d, ebx
    add r14d, r9d
    mov ebx, r11d
    xor ebx, r12d
    xor ebp, r8d
    add r14d, r10d
    mov edi, r10d
    ror edi, 6
    mov r8d, r10d
    ror r8d, 11
    and ebx, r10d
    mov r9d, dword ptr [rsp + 88]
    lea ecx, [r9 + rcx - 670586216]
    add ebp, r14d
    mov r9d, r10d
    ror r9d, 25
    xor edi, r8d
    xor ebx, r12d
    add ecx, r13d
    mov r8d, edx
    and r8d, eax
    mov r14d, edx
    xor r14d, eax
    xor r9d, edi
    mov edi, ebp
    ror edi, 2
    mov r15d, ebp
    ror r15d, 13
    add ebx, ecx
    and r14d, ebp
    sub r8d, r13d
    mov ecx, ebp
    ror ecx, 22
    xor edi, r15d
    add r9d, ebx
    add r14d, r8d
    mov ebx, r10d
    xor ebx, r11d
    xor ecx, edi
    add r14d, r9d
    mov edi, r9d
    ror edi, 6
    mov r8d, r9d
    ror r8d, 11
    and ebx, r9d
    mov r13d, dword ptr [rsp + 92]
    lea r12d, [r13 + r12 + 310598401]
    add ecx, r14d
    mov r13d, r9d
    ror r13d, 25
    xor edi, r8d
    xor ebx, r11d
    add r12d, eax
    mov r8d, ebp
    and r8d, edx
    mov r14d, ebp
    xor r14d, edx
    xor r13d, edi
    mov edi, ecx
    ror edi, 2
    mov r15d, ecx
    ror r15d, 13
    add ebx, r12d
    and r14d, ecx
    sub r8d, eax
    mov eax, ecx
    ror eax, 22
    xor edi, r15d
    add r13d, ebx
    add r14d, r8d
    mov ebx, r9d
    xor ebx, r10d
    xor eax, edi
    add r14d, r13d
    mov edi, r13d
    ror edi, 6
    mov r8d, r13d
    ror r8d, 11
    and ebx, r13d
    mov r12d, dword ptr [rsp + 96]
    lea r11d, [r12 + r11 + 607225278]
    add eax, r14d
    mov r12d, r13d
    ror r12d, 25
    xor edi, r8d
    xor ebx, r10d
    add r11d, edx
    mov r8d, ecx
    and r8d, ebp
    mov r14d, ecx
    xor r14d, ebp
    xor r12d, edi
    mov edi, eax
    ror edi, 2
    mov r15d, eax
    ror r15d, 13
    add ebx, r11d
    and r14d, eax
    sub r8d, edx
    mov edx, eax
    ror edx, 22
    xor edi, r15d
    add r12d, ebx
    add r14d, r8d
    mov ebx, r13d
    xor ebx, r9d
    xor edx, edi
    add r14d, r12d
    mov edi, r12d
    ror edi, 6
    mov r8d, r12d
    ror r8d, 11
    and ebx, r12d
    mov r11d, dword ptr [rsp + 100]
    lea r10d, [r11 + r10 + 1426881987]
    add edx, r14d
    mov r11d, r12d
    ror r11d, 25
    xor edi, r8d
    xor ebx, r9d
    add r10d, ebp
    mov r8d, eax
    and r8d, ecx
    mov r14d, eax
    xor r14d, ecx
    xor r11d, edi
    mov edi, edx
    ror edi, 2
    mov r15d, edx
    ror r15d, 13
    add ebx, r10d
    and r14d, edx
    sub r8d, ebp
    mov ebp, edx
    ror ebp, 22
    xor edi, r15d
    add r11d, ebx
    add r14d, r8d
    mov ebx, r12d
    xor ebx, r13d
    xor ebp, edi
    add r14d, r11d
    mov edi, r11d
    ror edi, 6
    mov r8d, r11d
    ror r8d, 11
    and ebx, r11d
    mov r10d, dword ptr [rsp + 104]
    lea r9d, [r10 + r9 + 1925078388]
    add ebp, r14d
    mov r10d, r11d
    ror r10d, 25
    xor edi, r8d
    xor ebx, r13d
    add r9d, ecx
    mov r8d, edx
    and r8d, eax
    mov r14d, edx
    xor r14d, eax
    xor r10d, edi
    mov edi, ebp
    ror edi, 2
    mov r15d, ebp
    ror r15d, 13
    add ebx, r9d
    and r14d, ebp
    sub r8d, ecx
    mov ecx, ebp
    ror ecx, 22
    xor edi, r15d
    add r10d, ebx
    add r14d, r8d
    mov ebx, r11d
    xor ebx, r12d
    xor ecx, edi
    add r14d, r10d
    mov edi, r10d
    ror edi, 6
    mov r8d, r10d
    ror r8d, 11
    and ebx, r10d
    mov r9d, dword ptr [rsp + 108]
    lea r9d, [r9 + r13 - 2132889090]
    add ecx, r14d
    mov r13d, r10d
    ror r13d, 25
    xor edi, r8d
    xor ebx, r12d
    add r9d, eax
    mov r8d, ebp
    and r8d, edx
    mov r14d, ebp
    xor r14d, edx
    xor r13d, edi
    mov edi, ecx
    ror edi, 2
    mov r15d, ecx
    ror r15d, 13
    add ebx, r9d
    and r14d, ecx
    sub r8d, eax
    mov eax, ecx
    ror eax, 22
    xor edi, r15d
    add r13d, ebx
    add r14d, r8d
    mov ebx, r10d
    xor ebx, r11d
    xor eax, edi
    add r14d, r13d
    mov edi, r13d
    ror edi, 6
    mov r8d, r13d
    ror r8d, 11
    and ebx, r13d
    mov r9d, dword ptr [rsp + 112]
    lea r12d, [r9 + r12 - 1680079193]
    add eax, r14d
    mov r14d, r13d
    ror r14d, 25
    xor edi, r8d
    xor ebx, r11d
    add r12d, edx
    mov r8d, ecx
    and r8d, ebp
    mov r15d, ecx
    xor r15d, ebp
    xor r14d, edi
    mov edi, eax
    ror edi, 2
    mov esi, eax
    ror esi, 13
    add ebx, r12d
    and r15d, eax
    sub r8d, edx
    mov edx, r9d
    ror edx, 17
    mov r12d, r9d
    ror r12d, 19
    mov r9d, eax
    ror r9d, 22
    xor edi, esi
    add r14d, ebx
    add r15d, r8d
    mov ebx, r13d
    xor ebx, r10d
    mov r8d, dword ptr [rsp + 60]
    ror r8d, 7
    mov esi, dword ptr [rsp + 60]
    ror esi, 18
    mov dword ptr [rsp + 312], r13d
    mov r13d, dword ptr [rsp + 112]
    shr r13d, 10
    xor edx, r12d
    xor r9d, edi
    add r15d, r14d
    mov edi, r14d
    ror edi, 6
    mov r12d, r14d
    ror r12d, 11
    and ebx, r14d
    mov dword ptr [rsp + 316], ecx
    mov ecx, dword ptr [rsp + 116]
    lea r11d, [rcx + r11 - 1046744716]
    mov ecx, dword ptr [rsp + 60]
    shr ecx, 3
    xor r8d, esi
    xor r13d, edx
    mov edx, dword ptr [rsp + 56]
    add edx, dword ptr [rsp + 92]
    add r9d, r15d
    mov r15d, r14d
    ror r15d, 25
    xor edi, r12d
    xor ebx, r10d
    add r11d, ebp
    mov r12d, dword ptr [rsp + 316]
    and r12d, eax
    mov esi, dword ptr [rsp + 316]
    xor esi, eax
    xor ecx, r8d
    add r13d, edx
    xor r15d, edi
    mov edx, r9d
    ror edx, 2
    mov edi, r9d
    ror edi, 13
    add ebx, r11d
    and esi, r9d
    sub r12d, ebp
    mov ebp, dword ptr [rsp + 116]
    ror ebp, 17
    mov r8d, dword ptr [rsp + 116]
    ror r8d, 19
    add ecx, r13d
    mov dword ptr [rsp + 120], ecx
    mov r11d, r9d
    ror r11d, 22
    xor edx, edi
    add r15d, ebx
    add esi, r12d
    mov ebx, dword ptr [rsp + 312]
    xor ebx, r14d
    mov edi, dword ptr [rsp + 64]
    ror edi, 7
    mov r12d, dword ptr [rsp + 64]
    ror r12d, 18
    mov r13d, dword ptr [rsp + 116]
    shr r13d, 10
    xor ebp, r8d
    xor r11d, edx
    add esi, r15d
    mov edx, r15d
    ror edx, 6
    mov r8d, r15d
    ror r8d, 11
    and ebx, r15d
    lea r10d, [rcx + r10 - 459576895]
    mov ecx, dword ptr [rsp + 64]
    shr ecx, 3
    xor edi, r12d
    xor r13d, ebp
    mov ebp, dword ptr [rsp + 60]
    add ebp, dword ptr [rsp + 96]
    add r11d, esi
    mov r12d, r15d
    ror r12d, 25
    xor edx, r8d
    xor ebx, dword ptr [rsp + 312]
    add r10d, dword ptr [rsp + 316]
    mov r8d, r9d
    and r8d, eax
    mov esi, r9d
    xor esi, eax
    xor ecx, edi
    add r13d, ebp
    xor r12d, edx
    mov edx, r11d
    ror edx, 2
    mov ebp, r11d
    ror ebp, 13
    add ebx, r10d
    and esi, r11d
    sub r8d, dword ptr [rsp + 316]
    add ecx, r13d
    mov dword ptr [rsp + 124], ecx
    mov edi, dword ptr [rsp + 120]
    ror edi, 17
    mov r10d, dword ptr [rsp + 120]
    ror r10d, 19
    mov r13d, r11d
    ror r13d, 22
    xor edx, ebp
    add r12d, ebx
    add esi, r8d
    mov ebx, r15d
    xor ebx, r14d
    mov ebp, dword ptr [rsp + 68]
    ror ebp, 7
    mov r8d, dword ptr [rsp + 68]
    ror r8d, 18
    mov ecx, dword ptr [rsp + 120]
    shr ecx, 10
    xor edi, r10d
    xor r13d, edx
    add esi, r12d
    mov edx, r12d
    ror edx, 6
    mov r10d, r12d
    ror r10d, 11
    and ebx, r12d
    mov dword ptr [rsp + 320], r15d
    mov r15d, dword ptr [rsp + 124]
    mov dword ptr [rsp + 324], r11d
    mov r11d, dword ptr [rsp + 312]
    lea r11d, [r15 + r11 - 272742522]
    mov r15d, dword ptr [rsp + 68]
    shr r15d, 3
    xor ebp, r8d
    xor ecx, edi
    mov edi, dword ptr [rsp + 64]
    add edi, dword ptr [rsp + 100]
    add r13d, esi
    mov r8d, r12d
    ror r8d, 25
    xor edx, r10d
    xor ebx, r14d
    add r11d, eax
    mov r10d, dword ptr [rsp + 324]
    and r10d, r9d
    mov esi, dword ptr [rsp + 324]
    xor esi, r9d
    xor r15d, ebp
    add ecx, edi
    xor r8d, edx
    mov edx, r13d
    ror edx, 2
    mov ebp, r13d
    ror ebp, 13
    add ebx, r11d
    and esi, r13d
    sub r10d, eax
    add r15d, ecx
    mov dword ptr [rsp + 128], r15d
    mov eax, dword ptr [rsp + 124]
    ror eax, 17
    mov ecx, dword ptr [rsp + 124]
    ror ecx, 19
    mov edi, r13d
    ror edi, 22
    xor edx, ebp
    add r8d, ebx
    add esi, r10d
    mov ebx, dword ptr [rsp + 320]
    xor ebx, r12d
    mov ebp, dword ptr [rsp + 72]
    ror ebp, 7
    mov r10d, dword ptr [rsp + 72]
    ror r10d, 18
    mov r11d, dword ptr [rsp + 124]
    shr r11d, 10
    xor eax, ecx
    xor edi, edx
    add esi, r8d
    mov ecx, r8d
    ror ecx, 6
    mov edx, r8d
    ror edx, 11
    and ebx, r8d
    lea r14d, [r15 + r14 + 264347078]
    mov r15d, dword ptr [rsp + 72]
    shr r15d, 3
    xor ebp, r10d
    xor r11d, eax
    mov eax, dword ptr [rsp + 68]
    add eax, dword ptr [rsp + 104]
    add edi, esi
    mov r10d, r8d
    ror r10d, 25
    xor ecx, edx
    xor ebx, dword ptr [rsp + 320]
    add r14d, r9d
    mov edx, dword ptr [rsp + 324]
    and edx, r13d
    mov esi, dword ptr [rsp + 324]
    xor esi, r13d
    xor r15d, ebp
    add r11d, eax
    xor r10d, ecx
    mov eax, edi
    ror eax, 2
    mov ecx, edi
    ror ecx, 13
    add ebx, r14d
    and esi, edi
    sub edx, r9d
    add r15d, r11d
    mov dword ptr [rsp + 132], r15d
    mov ebp, dword ptr [rsp + 128]
    ror ebp, 17
    mov r9d, dword ptr [rsp + 128]
    ror r9d, 19
    mov r11d, edi
    ror r11d, 22
    xor eax, ecx
    add r10d, ebx
    add esi, edx
    mov ecx, r8d
    xor ecx, r12d
    mov edx, dword ptr [rsp + 76]
    ror edx, 7
    mov ebx, dword ptr [rsp + 76]
    ror ebx, 18
    mov r14d, dword ptr [rsp + 128]
    shr r14d, 10
    xor ebp, r9d
    xor r11d, eax
    add esi, r10d
    mov eax, r10d
    ror eax, 6
    mov r9d, r10d
    ror r9d, 11
    and ecx, r10d
    mov dword ptr [rsp + 328], r8d
    mov r8d, dword ptr [rsp + 320]
    lea r8d, [r15 + r8 + 604807628]
    mov r15d, dword ptr [rsp + 76]
    shr r15d, 3
    xor edx, ebx
    xor r14d, ebp
    mov ebx, dword ptr [rsp + 72]
    add ebx, dword ptr [rsp + 108]
    add r11d, esi
    mov ebp, r10d
    ror ebp, 25
    xor eax, r9d
    xor ecx, r12d
    add r8d, dword ptr [rsp + 324]
    mov r9d, edi
    and r9d, r13d
    mov esi, edi
    xor esi, r13d
    xor r15d, edx
    add r14d, ebx
    xor ebp, eax
    mov eax, r11d
    ror eax, 2
    mov edx, r11d
    ror edx, 13
    add ecx, r8d
    and esi, r11d
    sub r9d, dword ptr [rsp + 324]
    add r15d, r14d
    mov dword ptr [rsp + 136], r15d
    mov ebx, dword ptr [rsp + 132]
    ror ebx, 17
    mov r8d, dword ptr [rsp + 132]
    ror r8d, 19
    mov r14d, r11d
    ror r14d, 22
    xor eax, edx
    add ebp, ecx
    add esi, r9d
    mov ecx, dword ptr [rsp + 328]
    xor ecx, r10d
    mov edx, dword ptr [rsp + 80]
    ror edx, 7
    mov r9d, dword ptr [rsp + 80]
    ror r9d, 18
    mov r15d, dword ptr [rsp + 132]
    shr r15d, 10
    xor ebx, r8d
    xor r14d, eax
    add esi, ebp
    mov eax, ebp
    ror eax, 6
    mov r8d, ebp
    ror r8d, 11
    and ecx, ebp
    mov dword ptr [rsp + 332], r10d
    mov r10d, dword ptr [rsp + 136]
    lea r12d, [r10 + r12 + 770255983]
    mov r10d, dword ptr [rsp + 80]
    shr r10d, 3
    xor edx, r9d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 76]
    add ebx, dword ptr [rsp + 112]
    add r14d, esi
    mov r9d, ebp
    ror r9d, 25
    xor eax, r8d
    xor ecx, dword ptr [rsp + 328]
    add r12d, r13d
    mov r8d, r11d
    and r8d, edi
    mov esi, r11d
    xor esi, edi
    xor r10d, edx
    add r15d, ebx
    xor r9d, eax
    mov eax, r14d
    ror eax, 2
    mov edx, r14d
    ror edx, 13
    add ecx, r12d
    and esi, r14d
    sub r8d, r13d
    add r10d, r15d
    mov dword ptr [rsp + 140], r10d
    mov ebx, dword ptr [rsp + 136]
    ror ebx, 17
    mov r12d, dword ptr [rsp + 136]
    ror r12d, 19
    mov r13d, r14d
    ror r13d, 22
    xor eax, edx
    add r9d, ecx
    add esi, r8d
    mov ecx, dword ptr [rsp + 332]
    xor ecx, ebp
    mov edx, dword ptr [rsp + 84]
    ror edx, 7
    mov r8d, dword ptr [rsp + 84]
    ror r8d, 18
    mov r15d, dword ptr [rsp + 136]
    shr r15d, 10
    xor ebx, r12d
    xor r13d, eax
    add esi, r9d
    mov eax, r9d
    ror eax, 6
    mov r12d, r9d
    ror r12d, 11
    and ecx, r9d
    mov dword ptr [rsp + 336], ebp
    mov ebp, dword ptr [rsp + 328]
    lea ebp, [r10 + rbp + 1249150122]
    mov r10d, dword ptr [rsp + 84]
    shr r10d, 3
    xor edx, r8d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 80]
    add ebx, dword ptr [rsp + 116]
    add r13d, esi
    mov r8d, r9d
    ror r8d, 25
    xor eax, r12d
    xor ecx, dword ptr [rsp + 332]
    add ebp, edi
    mov r12d, r14d
    and r12d, r11d
    mov esi, r14d
    xor esi, r11d
    xor r10d, edx
    add r15d, ebx
    xor r8d, eax
    mov eax, r13d
    ror eax, 2
    mov edx, r13d
    ror edx, 13
    add ecx, ebp
    and esi, r13d
    sub r12d, edi
    add r10d, r15d
    mov dword ptr [rsp + 144], r10d
    mov ebx, dword ptr [rsp + 140]
    ror ebx, 17
    mov ebp, dword ptr [rsp + 140]
    ror ebp, 19
    mov edi, r13d
    ror edi, 22
    xor eax, edx
    add r8d, ecx
    add esi, r12d
    mov ecx, dword ptr [rsp + 336]
    xor ecx, r9d
    mov edx, dword ptr [rsp + 88]
    ror edx, 7
    mov r12d, dword ptr [rsp + 88]
    ror r12d, 18
    mov r15d, dword ptr [rsp + 140]
    shr r15d, 10
    xor ebx, ebp
    xor edi, eax
    add esi, r8d
    mov eax, r8d
    ror eax, 6
    mov ebp, r8d
    ror ebp, 11
    and ecx, r8d
    mov dword ptr [rsp + 340], r9d
    mov r9d, dword ptr [rsp + 332]
    lea r9d, [r10 + r9 + 1555081692]
    mov r10d, dword ptr [rsp + 88]
    shr r10d, 3
    xor edx, r12d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 84]
    add ebx, dword ptr [rsp + 120]
    add edi, esi
    mov r12d, r8d
    ror r12d, 25
    xor eax, ebp
    xor ecx, dword ptr [rsp + 336]
    add r9d, r11d
    mov ebp, r13d
    and ebp, r14d
    mov esi, r13d
    xor esi, r14d
    xor r10d, edx
    add r15d, ebx
    xor r12d, eax
    mov eax, edi
    ror eax, 2
    mov edx, edi
    ror edx, 13
    add ecx, r9d
    and esi, edi
    sub ebp, r11d
    add r10d, r15d
    mov dword ptr [rsp + 148], r10d
    mov ebx, dword ptr [rsp + 144]
    ror ebx, 17
    mov r9d, dword ptr [rsp + 144]
    ror r9d, 19
    mov r11d, edi
    ror r11d, 22
    xor eax, edx
    add r12d, ecx
    add esi, ebp
    mov ecx, dword ptr [rsp + 340]
    xor ecx, r8d
    mov edx, dword ptr [rsp + 92]
    ror edx, 7
    mov ebp, dword ptr [rsp + 92]
    ror ebp, 18
    mov r15d, dword ptr [rsp + 144]
    shr r15d, 10
    xor ebx, r9d
    xor r11d, eax
    add esi, r12d
    mov eax, r12d
    ror eax, 6
    mov r9d, r12d
    ror r9d, 11
    and ecx, r12d
    mov dword ptr [rsp + 344], r8d
    mov r8d, dword ptr [rsp + 336]
    lea r8d, [r10 + r8 + 1996064986]
    mov r10d, dword ptr [rsp + 92]
    shr r10d, 3
    xor edx, ebp
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 88]
    add ebx, dword ptr [rsp + 124]
    add r11d, esi
    mov ebp, r12d
    ror ebp, 25
    xor eax, r9d
    xor ecx, dword ptr [rsp + 340]
    add r8d, r14d
    mov r9d, edi
    and r9d, r13d
    mov esi, edi
    xor esi, r13d
    xor r10d, edx
    add r15d, ebx
    xor ebp, eax
    mov eax, r11d
    ror eax, 2
    mov edx, r11d
    ror edx, 13
    add ecx, r8d
    and esi, r11d
    sub r9d, r14d
    add r10d, r15d
    mov dword ptr [rsp + 152], r10d
    mov ebx, dword ptr [rsp + 148]
    ror ebx, 17
    mov r8d, dword ptr [rsp + 148]
    ror r8d, 19
    mov r14d, r11d
    ror r14d, 22
    xor eax, edx
    add ebp, ecx
    add esi, r9d
    mov ecx, dword ptr [rsp + 344]
    xor ecx, r12d
    mov edx, dword ptr [rsp + 96]
    ror edx, 7
    mov r9d, dword ptr [rsp + 96]
    ror r9d, 18
    mov r15d, dword ptr [rsp + 148]
    shr r15d, 10
    xor ebx, r8d
    xor r14d, eax
    add esi, ebp
    mov eax, ebp
    ror eax, 6
    mov r8d, ebp
    ror r8d, 11
    and ecx, ebp
    mov dword ptr [rsp + 348], r12d
    mov r12d, dword ptr [rsp + 340]
    lea r12d, [r10 + r12 - 1740746414]
    mov r10d, dword ptr [rsp + 96]
    shr r10d, 3
    xor edx, r9d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 92]
    add ebx, dword ptr [rsp + 128]
    add r14d, esi
    mov r9d, ebp
    ror r9d, 25
    xor eax, r8d
    xor ecx, dword ptr [rsp + 344]
    add r12d, r13d
    mov r8d, r11d
    and r8d, edi
    mov esi, r11d
    xor esi, edi
    xor r10d, edx
    add r15d, ebx
    xor r9d, eax
    mov eax, r14d
    ror eax, 2
    mov edx, r14d
    ror edx, 13
    add ecx, r12d
    and esi, r14d
    sub r8d, r13d
    add r10d, r15d
    mov dword ptr [rsp + 156], r10d
    mov ebx, dword ptr [rsp + 152]
    ror ebx, 17
    mov r12d, dword ptr [rsp + 152]
    ror r12d, 19
    mov r13d, r14d
    ror r13d, 22
    xor eax, edx
    add r9d, ecx
    add esi, r8d
    mov ecx, dword ptr [rsp + 348]
    xor ecx, ebp
    mov edx, dword ptr [rsp + 100]
    ror edx, 7
    mov r8d, dword ptr [rsp + 100]
    ror r8d, 18
    mov r15d, dword ptr [rsp + 152]
    shr r15d, 10
    xor ebx, r12d
    xor r13d, eax
    add esi, r9d
    mov eax, r9d
    ror eax, 6
    mov r12d, r9d
    ror r12d, 11
    and ecx, r9d
    mov dword ptr [rsp + 352], ebp
    mov ebp, dword ptr [rsp + 344]
    lea ebp, [r10 + rbp - 1473132947]
    mov r10d, dword ptr [rsp + 100]
    shr r10d, 3
    xor edx, r8d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 96]
    add ebx, dword ptr [rsp + 132]
    add r13d, esi
    mov r8d, r9d
    ror r8d, 25
    xor eax, r12d
    xor ecx, dword ptr [rsp + 348]
    add ebp, edi
    mov r12d, r14d
    and r12d, r11d
    mov esi, r14d
    xor esi, r11d
    xor r10d, edx
    add r15d, ebx
    xor r8d, eax
    mov eax, r13d
    ror eax, 2
    mov edx, r13d
    ror edx, 13
    add ecx, ebp
    and esi, r13d
    sub r12d, edi
    add r10d, r15d
    mov dword ptr [rsp + 160], r10d
    mov ebx, dword ptr [rsp + 156]
    ror ebx, 17
    mov ebp, dword ptr [rsp + 156]
    ror ebp, 19
    mov edi, r13d
    ror edi, 22
    xor eax, edx
    add r8d, ecx
    add esi, r12d
    mov ecx, dword ptr [rsp + 352]
    xor ecx, r9d
    mov edx, dword ptr [rsp + 104]
    ror edx, 7
    mov r12d, dword ptr [rsp + 104]
    ror r12d, 18
    mov r15d, dword ptr [rsp + 156]
    shr r15d, 10
    xor ebx, ebp
    xor edi, eax
    add esi, r8d
    mov eax, r8d
    ror eax, 6
    mov ebp, r8d
    ror ebp, 11
    and ecx, r8d
    mov dword ptr [rsp + 356], r9d
    mov r9d, dword ptr [rsp + 348]
    lea r9d, [r10 + r9 - 1341970488]
    mov r10d, dword ptr [rsp + 104]
    shr r10d, 3
    xor edx, r12d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 100]
    add ebx, dword ptr [rsp + 136]
    add edi, esi
    mov r12d, r8d
    ror r12d, 25
    xor eax, ebp
    xor ecx, dword ptr [rsp + 352]
    add r9d, r11d
    mov ebp, r13d
    and ebp, r14d
    mov esi, r13d
    xor esi, r14d
    xor r10d, edx
    add r15d, ebx
    xor r12d, eax
    mov eax, edi
    ror eax, 2
    mov edx, edi
    ror edx, 13
    add ecx, r9d
    and esi, edi
    sub ebp, r11d
    add r10d, r15d
    mov dword ptr [rsp + 164], r10d
    mov ebx, dword ptr [rsp + 160]
    ror ebx, 17
    mov r9d, dword ptr [rsp + 160]
    ror r9d, 19
    mov r11d, edi
    ror r11d, 22
    xor eax, edx
    add r12d, ecx
    add esi, ebp
    mov ecx, dword ptr [rsp + 356]
    xor ecx, r8d
    mov edx, dword ptr [rsp + 108]
    ror edx, 7
    mov ebp, dword ptr [rsp + 108]
    ror ebp, 18
    mov r15d, dword ptr [rsp + 160]
    shr r15d, 10
    xor ebx, r9d
    xor r11d, eax
    add esi, r12d
    mov eax, r12d
    ror eax, 6
    mov r9d, r12d
    ror r9d, 11
    and ecx, r12d
    mov dword ptr [rsp + 360], r8d
    mov r8d, dword ptr [rsp + 352]
    lea r8d, [r10 + r8 - 1084653625]
    mov r10d, dword ptr [rsp + 108]
    shr r10d, 3
    xor edx, ebp
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 104]
    add ebx, dword ptr [rsp + 140]
    add r11d, esi
    mov ebp, r12d
    ror ebp, 25
    xor eax, r9d
    xor ecx, dword ptr [rsp + 356]
    add r8d, r14d
    mov r9d, edi
    and r9d, r13d
    mov esi, edi
    xor esi, r13d
    xor r10d, edx
    add r15d, ebx
    xor ebp, eax
    mov eax, r11d
    ror eax, 2
    mov edx, r11d
    ror edx, 13
    add ecx, r8d
    and esi, r11d
    sub r9d, r14d
    add r10d, r15d
    mov dword ptr [rsp + 168], r10d
    mov ebx, dword ptr [rsp + 164]
    ror ebx, 17
    mov r8d, dword ptr [rsp + 164]
    ror r8d, 19
    mov r14d, r11d
    ror r14d, 22
    xor eax, edx
    add ebp, ecx
    add esi, r9d
    mov ecx, dword ptr [rsp + 360]
    xor ecx, r12d
    mov edx, dword ptr [rsp + 112]
    ror edx, 7
    mov r9d, dword ptr [rsp + 112]
    ror r9d, 18
    mov r15d, dword ptr [rsp + 164]
    shr r15d, 10
    xor ebx, r8d
    xor r14d, eax
    add esi, ebp
    mov eax, ebp
    ror eax, 6
    mov r8d, ebp
    ror r8d, 11
    and ecx, ebp
    mov dword ptr [rsp + 364], r12d
    mov r12d, dword ptr [rsp + 356]
    lea r12d, [r10 + r12 - 958395405]
    mov r10d, dword ptr [rsp + 112]
    shr r10d, 3
    xor edx, r9d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 108]
    add ebx, dword ptr [rsp + 144]
    add r14d, esi
    mov r9d, ebp
    ror r9d, 25
    xor eax, r8d
    xor ecx, dword ptr [rsp + 360]
    add r12d, r13d
    mov r8d, r11d
    and r8d, edi
    mov esi, r11d
    xor esi, edi
    xor r10d, edx
    add r15d, ebx
    xor r9d, eax
    mov eax, r14d
    ror eax, 2
    mov edx, r14d
    ror edx, 13
    add ecx, r12d
    and esi, r14d
    sub r8d, r13d
    add r10d, r15d
    mov dword ptr [rsp + 172], r10d
    mov ebx, dword ptr [rsp + 168]
    ror ebx, 17
    mov r12d, dword ptr [rsp + 168]
    ror r12d, 19
    mov r13d, r14d
    ror r13d, 22
    xor eax, edx
    add r9d, ecx
    add esi, r8d
    mov ecx, dword ptr [rsp + 364]
    xor ecx, ebp
    mov edx, dword ptr [rsp + 116]
    ror edx, 7
    mov r8d, dword ptr [rsp + 116]
    ror r8d, 18
    mov r15d, dword ptr [rsp + 168]
    shr r15d, 10
    xor ebx, r12d
    xor r13d, eax
    add esi, r9d
    mov eax, r9d
    ror eax, 6
    mov r12d, r9d
    ror r12d, 11
    and ecx, r9d
    mov dword ptr [rsp + 368], ebp
    mov ebp, dword ptr [rsp + 360]
    lea ebp, [r10 + rbp - 710438585]
    mov r10d, dword ptr [rsp + 116]
    shr r10d, 3
    xor edx, r8d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 112]
    add ebx, dword ptr [rsp + 148]
    add r13d, esi
    mov r8d, r9d
    ror r8d, 25
    xor eax, r12d
    xor ecx, dword ptr [rsp + 364]
    add ebp, edi
    mov r12d, r14d
    and r12d, r11d
    mov esi, r14d
    xor esi, r11d
    xor r10d, edx
    add r15d, ebx
    xor r8d, eax
    mov eax, r13d
    ror eax, 2
    mov edx, r13d
    ror edx, 13
    add ecx, ebp
    and esi, r13d
    sub r12d, edi
    add r10d, r15d
    mov dword ptr [rsp + 176], r10d
    mov ebx, dword ptr [rsp + 172]
    ror ebx, 17
    mov ebp, dword ptr [rsp + 172]
    ror ebp, 19
    mov edi, r13d
    ror edi, 22
    xor eax, edx
    add r8d, ecx
    add esi, r12d
    mov ecx, dword ptr [rsp + 368]
    xor ecx, r9d
    mov edx, dword ptr [rsp + 120]
    ror edx, 7
    mov r12d, dword ptr [rsp + 120]
    ror r12d, 18
    mov r15d, dword ptr [rsp + 172]
    shr r15d, 10
    xor ebx, ebp
    xor edi, eax
    add esi, r8d
    mov eax, r8d
    ror eax, 6
    mov ebp, r8d
    ror ebp, 11
    and ecx, r8d
    mov dword ptr [rsp + 372], r9d
    mov r9d, dword ptr [rsp + 364]
    lea r9d, [r10 + r9 + 113926993]
    mov r10d, dword ptr [rsp + 120]
    shr r10d, 3
    xor edx, r12d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 116]
    add ebx, dword ptr [rsp + 152]
    add edi, esi
    mov r12d, r8d
    ror r12d, 25
    xor eax, ebp
    xor ecx, dword ptr [rsp + 368]
    add r9d, r11d
    mov ebp, r13d
    and ebp, r14d
    mov esi, r13d
    xor esi, r14d
    xor r10d, edx
    add r15d, ebx
    xor r12d, eax
    mov eax, edi
    ror eax, 2
    mov edx, edi
    ror edx, 13
    add ecx, r9d
    and esi, edi
    sub ebp, r11d
    add r10d, r15d
    mov dword ptr [rsp + 180], r10d
    mov ebx, dword ptr [rsp + 176]
    ror ebx, 17
    mov r9d, dword ptr [rsp + 176]
    ror r9d, 19
    mov r11d, edi
    ror r11d, 22
    xor eax, edx
    add r12d, ecx
    add esi, ebp
    mov ecx, dword ptr [rsp + 372]
    xor ecx, r8d
    mov edx, dword ptr [rsp + 124]
    ror edx, 7
    mov ebp, dword ptr [rsp + 124]
    ror ebp, 18
    mov r15d, dword ptr [rsp + 176]
    shr r15d, 10
    xor ebx, r9d
    xor r11d, eax
    add esi, r12d
    mov eax, r12d
    ror eax, 6
    mov r9d, r12d
    ror r9d, 11
    and ecx, r12d
    mov dword ptr [rsp + 376], r8d
    mov r8d, dword ptr [rsp + 368]
    lea r8d, [r10 + r8 + 338241895]
    mov r10d, dword ptr [rsp + 124]
    shr r10d, 3
    xor edx, ebp
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 120]
    add ebx, dword ptr [rsp + 156]
    add r11d, esi
    mov ebp, r12d
    ror ebp, 25
    xor eax, r9d
    xor ecx, dword ptr [rsp + 372]
    add r8d, r14d
    mov r9d, edi
    and r9d, r13d
    mov esi, edi
    xor esi, r13d
    xor r10d, edx
    add r15d, ebx
    xor ebp, eax
    mov eax, r11d
    ror eax, 2
    mov edx, r11d
    ror edx, 13
    add ecx, r8d
    and esi, r11d
    sub r9d, r14d
    add r10d, r15d
    mov dword ptr [rsp + 184], r10d
    mov ebx, dword ptr [rsp + 180]
    ror ebx, 17
    mov r8d, dword ptr [rsp + 180]
    ror r8d, 19
    mov r14d, r11d
    ror r14d, 22
    xor eax, edx
    add ebp, ecx
    add esi, r9d
    mov ecx, dword ptr [rsp + 376]
    xor ecx, r12d
    mov edx, dword ptr [rsp + 128]
    ror edx, 7
    mov r9d, dword ptr [rsp + 128]
    ror r9d, 18
    mov r15d, dword ptr [rsp + 180]
    shr r15d, 10
    xor ebx, r8d
    xor r14d, eax
    add esi, ebp
    mov eax, ebp
    ror eax, 6
    mov r8d, ebp
    ror r8d, 11
    and ecx, ebp
    mov dword ptr [rsp + 380], r12d
    mov r12d, dword ptr [rsp + 372]
    lea r12d, [r10 + r12 + 666307205]
    mov r10d, dword ptr [rsp + 128]
    shr r10d, 3
    xor edx, r9d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 124]
    add ebx, dword ptr [rsp + 160]
    add r14d, esi
    mov r9d, ebp
    ror r9d, 25
    xor eax, r8d
    xor ecx, dword ptr [rsp + 376]
    add r12d, r13d
    mov r8d, r11d
    and r8d, edi
    mov esi, r11d
    xor esi, edi
    xor r10d, edx
    add r15d, ebx
    xor r9d, eax
    mov eax, r14d
    ror eax, 2
    mov edx, r14d
    ror edx, 13
    add ecx, r12d
    and esi, r14d
    sub r8d, r13d
    add r10d, r15d
    mov dword ptr [rsp + 188], r10d
    mov ebx, dword ptr [rsp + 184]
    ror ebx, 17
    mov r12d, dword ptr [rsp + 184]
    ror r12d, 19
    mov r13d, r14d
    ror r13d, 22
    xor eax, edx
    add r9d, ecx
    add esi, r8d
    mov ecx, dword ptr [rsp + 380]
    xor ecx, ebp
    mov edx, dword ptr [rsp + 132]
    ror edx, 7
    mov r8d, dword ptr [rsp + 132]
    ror r8d, 18
    mov r15d, dword ptr [rsp + 184]
    shr r15d, 10
    xor ebx, r12d
    xor r13d, eax
    add esi, r9d
    mov eax, r9d
    ror eax, 6
    mov r12d, r9d
    ror r12d, 11
    and ecx, r9d
    mov dword ptr [rsp + 384], ebp
    mov ebp, dword ptr [rsp + 376]
    lea ebp, [r10 + rbp + 773529912]
    mov r10d, dword ptr [rsp + 132]
    shr r10d, 3
    xor edx, r8d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 128]
    add ebx, dword ptr [rsp + 164]
    add r13d, esi
    mov r8d, r9d
    ror r8d, 25
    xor eax, r12d
    xor ecx, dword ptr [rsp + 380]
    add ebp, edi
    mov r12d, r14d
    and r12d, r11d
    mov esi, r14d
    xor esi, r11d
    xor r10d, edx
    add r15d, ebx
    xor r8d, eax
    mov eax, r13d
    ror eax, 2
    mov edx, r13d
    ror edx, 13
    add ecx, ebp
    and esi, r13d
    sub r12d, edi
    add r10d, r15d
    mov dword ptr [rsp + 192], r10d
    mov ebx, dword ptr [rsp + 188]
    ror ebx, 17
    mov ebp, dword ptr [rsp + 188]
    ror ebp, 19
    mov edi, r13d
    ror edi, 22
    xor eax, edx
    add r8d, ecx
    add esi, r12d
    mov ecx, dword ptr [rsp + 384]
    xor ecx, r9d
    mov edx, dword ptr [rsp + 136]
    ror edx, 7
    mov r12d, dword ptr [rsp + 136]
    ror r12d, 18
    mov r15d, dword ptr [rsp + 188]
    shr r15d, 10
    xor ebx, ebp
    xor edi, eax
    add esi, r8d
    mov eax, r8d
    ror eax, 6
    mov ebp, r8d
    ror ebp, 11
    and ecx, r8d
    mov dword ptr [rsp + 388], r9d
    mov r9d, dword ptr [rsp + 380]
    lea r9d, [r10 + r9 + 1294757372]
    mov r10d, dword ptr [rsp + 136]
    shr r10d, 3
    xor edx, r12d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 132]
    add ebx, dword ptr [rsp + 168]
    add edi, esi
    mov r12d, r8d
    ror r12d, 25
    xor eax, ebp
    xor ecx, dword ptr [rsp + 384]
    add r9d, r11d
    mov ebp, r13d
    and ebp, r14d
    mov esi, r13d
    xor esi, r14d
    xor r10d, edx
    add r15d, ebx
    xor r12d, eax
    mov eax, edi
    ror eax, 2
    mov edx, edi
    ror edx, 13
    add ecx, r9d
    and esi, edi
    sub ebp, r11d
    add r10d, r15d
    mov dword ptr [rsp + 196], r10d
    mov ebx, dword ptr [rsp + 192]
    ror ebx, 17
    mov r9d, dword ptr [rsp + 192]
    ror r9d, 19
    mov r11d, edi
    ror r11d, 22
    xor eax, edx
    add r12d, ecx
    add esi, ebp
    mov ecx, dword ptr [rsp + 388]
    xor ecx, r8d
    mov edx, dword ptr [rsp + 140]
    ror edx, 7
    mov ebp, dword ptr [rsp + 140]
    ror ebp, 18
    mov r15d, dword ptr [rsp + 192]
    shr r15d, 10
    xor ebx, r9d
    xor r11d, eax
    add esi, r12d
    mov eax, r12d
    ror eax, 6
    mov r9d, r12d
    ror r9d, 11
    and ecx, r12d
    mov dword ptr [rsp + 392], r8d
    mov r8d, dword ptr [rsp + 384]
    lea r8d, [r10 + r8 + 1396182291]
    mov r10d, dword ptr [rsp + 140]
    shr r10d, 3
    xor edx, ebp
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 136]
    add ebx, dword ptr [rsp + 172]
    add r11d, esi
    mov ebp, r12d
    ror ebp, 25
    xor eax, r9d
    xor ecx, dword ptr [rsp + 388]
    add r8d, r14d
    mov r9d, edi
    and r9d, r13d
    mov esi, edi
    xor esi, r13d
    xor r10d, edx
    add r15d, ebx
    xor ebp, eax
    mov eax, r11d
    ror eax, 2
    mov edx, r11d
    ror edx, 13
    add ecx, r8d
    and esi, r11d
    sub r9d, r14d
    add r10d, r15d
    mov dword ptr [rsp + 200], r10d
    mov ebx, dword ptr [rsp + 196]
    ror ebx, 17
    mov r8d, dword ptr [rsp + 196]
    ror r8d, 19
    mov r14d, r11d
    ror r14d, 22
    xor eax, edx
    add ebp, ecx
    add esi, r9d
    mov ecx, dword ptr [rsp + 392]
    xor ecx, r12d
    mov edx, dword ptr [rsp + 144]
    ror edx, 7
    mov r9d, dword ptr [rsp + 144]
    ror r9d, 18
    mov r15d, dword ptr [rsp + 196]
    shr r15d, 10
    xor ebx, r8d
    xor r14d, eax
    add esi, ebp
    mov eax, ebp
    ror eax, 6
    mov r8d, ebp
    ror r8d, 11
    and ecx, ebp
    mov dword ptr [rsp + 396], r12d
    mov r12d, dword ptr [rsp + 388]
    lea r12d, [r10 + r12 + 1695183700]
    mov r10d, dword ptr [rsp + 144]
    shr r10d, 3
    xor edx, r9d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 140]
    add ebx, dword ptr [rsp + 176]
    add r14d, esi
    mov r9d, ebp
    ror r9d, 25
    xor eax, r8d
    xor ecx, dword ptr [rsp + 392]
    add r12d, r13d
    mov r8d, r11d
    and r8d, edi
    mov esi, r11d
    xor esi, edi
    xor r10d, edx
    add r15d, ebx
    xor r9d, eax
    mov eax, r14d
    ror eax, 2
    mov edx, r14d
    ror edx, 13
    add ecx, r12d
    and esi, r14d
    sub r8d, r13d
    add r10d, r15d
    mov dword ptr [rsp + 204], r10d
    mov ebx, dword ptr [rsp + 200]
    ror ebx, 17
    mov r12d, dword ptr [rsp + 200]
    ror r12d, 19
    mov r13d, r14d
    ror r13d, 22
    xor eax, edx
    add r9d, ecx
    add esi, r8d
    mov ecx, dword ptr [rsp + 396]
    xor ecx, ebp
    mov edx, dword ptr [rsp + 148]
    ror edx, 7
    mov r8d, dword ptr [rsp + 148]
    ror r8d, 18
    mov r15d, dword ptr [rsp + 200]
    shr r15d, 10
    xor ebx, r12d
    xor r13d, eax
    add esi, r9d
    mov eax, r9d
    ror eax, 6
    mov r12d, r9d
    ror r12d, 11
    and ecx, r9d
    mov dword ptr [rsp + 400], ebp
    mov ebp, dword ptr [rsp + 392]
    lea ebp, [r10 + rbp + 1986661051]
    mov r10d, dword ptr [rsp + 148]
    shr r10d, 3
    xor edx, r8d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 144]
    add ebx, dword ptr [rsp + 180]
    add r13d, esi
    mov r8d, r9d
    ror r8d, 25
    xor eax, r12d
    xor ecx, dword ptr [rsp + 396]
    add ebp, edi
    mov r12d, r14d
    and r12d, r11d
    mov esi, r14d
    xor esi, r11d
    xor r10d, edx
    add r15d, ebx
    xor r8d, eax
    mov eax, r13d
    ror eax, 2
    mov edx, r13d
    ror edx, 13
    add ecx, ebp
    and esi, r13d
    sub r12d, edi
    add r10d, r15d
    mov dword ptr [rsp + 208], r10d
    mov ebx, dword ptr [rsp + 204]
    ror ebx, 17
    mov ebp, dword ptr [rsp + 204]
    ror ebp, 19
    mov edi, r13d
    ror edi, 22
    xor eax, edx
    add r8d, ecx
    add esi, r12d
    mov ecx, dword ptr [rsp + 400]
    xor ecx, r9d
    mov edx, dword ptr [rsp + 152]
    ror edx, 7
    mov r12d, dword ptr [rsp + 152]
    ror r12d, 18
    mov r15d, dword ptr [rsp + 204]
    shr r15d, 10
    xor ebx, ebp
    xor edi, eax
    add esi, r8d
    mov eax, r8d
    ror eax, 6
    mov ebp, r8d
    ror ebp, 11
    and ecx, r8d
    mov dword ptr [rsp + 404], r9d
    mov r9d, dword ptr [rsp + 396]
    lea r9d, [r10 + r9 - 2117940946]
    mov r10d, dword ptr [rsp + 152]
    shr r10d, 3
    xor edx, r12d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 148]
    add ebx, dword ptr [rsp + 184]
    add edi, esi
    mov r12d, r8d
    ror r12d, 25
    xor eax, ebp
    xor ecx, dword ptr [rsp + 400]
    add r9d, r11d
    mov ebp, r13d
    and ebp, r14d
    mov esi, r13d
    xor esi, r14d
    xor r10d, edx
    add r15d, ebx
    xor r12d, eax
    mov eax, edi
    ror eax, 2
    mov edx, edi
    ror edx, 13
    add ecx, r9d
    and esi, edi
    sub ebp, r11d
    add r10d, r15d
    mov dword ptr [rsp + 212], r10d
    mov ebx, dword ptr [rsp + 208]
    ror ebx, 17
    mov r9d, dword ptr [rsp + 208]
    ror r9d, 19
    mov r11d, edi
    ror r11d, 22
    xor eax, edx
    add r12d, ecx
    add esi, ebp
    mov ecx, dword ptr [rsp + 404]
    xor ecx, r8d
    mov edx, dword ptr [rsp + 156]
    ror edx, 7
    mov ebp, dword ptr [rsp + 156]
    ror ebp, 18
    mov r15d, dword ptr [rsp + 208]
    shr r15d, 10
    xor ebx, r9d
    xor r11d, eax
    add esi, r12d
    mov eax, r12d
    ror eax, 6
    mov r9d, r12d
    ror r9d, 11
    and ecx, r12d
    mov dword ptr [rsp + 408], r8d
    mov r8d, dword ptr [rsp + 400]
    lea r8d, [r10 + r8 - 1838011259]
    mov r10d, dword ptr [rsp + 156]
    shr r10d, 3
    xor edx, ebp
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 152]
    add ebx, dword ptr [rsp + 188]
    add r11d, esi
    mov ebp, r12d
    ror ebp, 25
    xor eax, r9d
    xor ecx, dword ptr [rsp + 404]
    add r8d, r14d
    mov r9d, edi
    and r9d, r13d
    mov esi, edi
    xor esi, r13d
    xor r10d, edx
    add r15d, ebx
    xor ebp, eax
    mov eax, r11d
    ror eax, 2
    mov edx, r11d
    ror edx, 13
    add ecx, r8d
    and esi, r11d
    sub r9d, r14d
    add r10d, r15d
    mov dword ptr [rsp + 216], r10d
    mov ebx, dword ptr [rsp + 212]
    ror ebx, 17
    mov r8d, dword ptr [rsp + 212]
    ror r8d, 19
    mov r14d, r11d
    ror r14d, 22
    xor eax, edx
    add ebp, ecx
    add esi, r9d
    mov ecx, dword ptr [rsp + 408]
    xor ecx, r12d
    mov edx, dword ptr [rsp + 160]
    ror edx, 7
    mov r9d, dword ptr [rsp + 160]
    ror r9d, 18
    mov r15d, dword ptr [rsp + 212]
    shr r15d, 10
    xor ebx, r8d
    xor r14d, eax
    add esi, ebp
    mov eax, ebp
    ror eax, 6
    mov r8d, ebp
    ror r8d, 11
    and ecx, ebp
    mov dword ptr [rsp + 412], r12d
    mov r12d, dword ptr [rsp + 404]
    lea r12d, [r10 + r12 - 1564481375]
    mov r10d, dword ptr [rsp + 160]
    shr r10d, 3
    xor edx, r9d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 156]
    add ebx, dword ptr [rsp + 192]
    add r14d, esi
    mov r9d, ebp
    ror r9d, 25
    xor eax, r8d
    xor ecx, dword ptr [rsp + 408]
    add r12d, r13d
    mov r8d, r11d
    and r8d, edi
    mov esi, r11d
    xor esi, edi
    xor r10d, edx
    add r15d, ebx
    xor r9d, eax
    mov eax, r14d
    ror eax, 2
    mov edx, r14d
    ror edx, 13
    add ecx, r12d
    and esi, r14d
    sub r8d, r13d
    add r10d, r15d
    mov dword ptr [rsp + 220], r10d
    mov ebx, dword ptr [rsp + 216]
    ror ebx, 17
    mov r12d, dword ptr [rsp + 216]
    ror r12d, 19
    mov r13d, r14d
    ror r13d, 22
    xor eax, edx
    add r9d, ecx
    add esi, r8d
    mov ecx, dword ptr [rsp + 412]
    xor ecx, ebp
    mov edx, dword ptr [rsp + 164]
    ror edx, 7
    mov r8d, dword ptr [rsp + 164]
    ror r8d, 18
    mov r15d, dword ptr [rsp + 216]
    shr r15d, 10
    xor ebx, r12d
    xor r13d, eax
    add esi, r9d
    mov eax, r9d
    ror eax, 6
    mov r12d, r9d
    ror r12d, 11
    and ecx, r9d
    mov dword ptr [rsp + 416], ebp
    mov ebp, dword ptr [rsp + 408]
    lea ebp, [r10 + rbp - 1474664885]
    mov r10d, dword ptr [rsp + 164]
    shr r10d, 3
    xor edx, r8d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 160]
    add ebx, dword ptr [rsp + 196]
    add r13d, esi
    mov r8d, r9d
    ror r8d, 25
    xor eax, r12d
    xor ecx, dword ptr [rsp + 412]
    add ebp, edi
    mov r12d, r14d
    and r12d, r11d
    mov esi, r14d
    xor esi, r11d
    xor r10d, edx
    add r15d, ebx
    xor r8d, eax
    mov eax, r13d
    ror eax, 2
    mov edx, r13d
    ror edx, 13
    add ecx, ebp
    and esi, r13d
    sub r12d, edi
    add r10d, r15d
    mov dword ptr [rsp + 224], r10d
    mov ebx, dword ptr [rsp + 220]
    ror ebx, 17
    mov ebp, dword ptr [rsp + 220]
    ror ebp, 19
    mov edi, r13d
    ror edi, 22
    xor eax, edx
    add r8d, ecx
    add esi, r12d
    mov ecx, dword ptr [rsp + 416]
    xor ecx, r9d
    mov edx, dword ptr [rsp + 168]
    ror edx, 7
    mov r12d, dword ptr [rsp + 168]
    ror r12d, 18
    mov r15d, dword ptr [rsp + 220]
    shr r15d, 10
    xor ebx, ebp
    xor edi, eax
    add esi, r8d
    mov eax, r8d
    ror eax, 6
    mov ebp, r8d
    ror ebp, 11
    and ecx, r8d
    mov dword ptr [rsp + 420], r9d
    mov r9d, dword ptr [rsp + 412]
    lea r9d, [r10 + r9 - 1035236496]
    mov r10d, dword ptr [rsp + 168]
    shr r10d, 3
    xor edx, r12d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 164]
    add ebx, dword ptr [rsp + 200]
    add edi, esi
    mov r12d, r8d
    ror r12d, 25
    xor eax, ebp
    xor ecx, dword ptr [rsp + 416]
    add r9d, r11d
    mov ebp, r13d
    and ebp, r14d
    mov esi, r13d
    xor esi, r14d
    xor r10d, edx
    add r15d, ebx
    xor r12d, eax
    mov eax, edi
    ror eax, 2
    mov edx, edi
    ror edx, 13
    add ecx, r9d
    and esi, edi
    sub ebp, r11d
    add r10d, r15d
    mov dword ptr [rsp + 228], r10d
    mov ebx, dword ptr [rsp + 224]
    ror ebx, 17
    mov r9d, dword ptr [rsp + 224]
    ror r9d, 19
    mov r11d, edi
    ror r11d, 22
    xor eax, edx
    add r12d, ecx
    add esi, ebp
    mov ecx, dword ptr [rsp + 420]
    xor ecx, r8d
    mov edx, dword ptr [rsp + 172]
    ror edx, 7
    mov ebp, dword ptr [rsp + 172]
    ror ebp, 18
    mov r15d, dword ptr [rsp + 224]
    shr r15d, 10
    xor ebx, r9d
    xor r11d, eax
    add esi, r12d
    mov eax, r12d
    ror eax, 6
    mov r9d, r12d
    ror r9d, 11
    and ecx, r12d
    mov dword ptr [rsp + 424], r8d
    mov r8d, dword ptr [rsp + 416]
    lea r8d, [r10 + r8 - 949202525]
    mov r10d, dword ptr [rsp + 172]
    shr r10d, 3
    xor edx, ebp
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 168]
    add ebx, dword ptr [rsp + 204]
    add r11d, esi
    mov ebp, r12d
    ror ebp, 25
    xor eax, r9d
    xor ecx, dword ptr [rsp + 420]
    add r8d, r14d
    mov r9d, edi
    and r9d, r13d
    mov esi, edi
    xor esi, r13d
    xor r10d, edx
    add r15d, ebx
    xor ebp, eax
    mov eax, r11d
    ror eax, 2
    mov edx, r11d
    ror edx, 13
    add ecx, r8d
    and esi, r11d
    sub r9d, r14d
    add r10d, r15d
    mov dword ptr [rsp + 232], r10d
    mov ebx, dword ptr [rsp + 228]
    ror ebx, 17
    mov r8d, dword ptr [rsp + 228]
    ror r8d, 19
    mov r14d, r11d
    ror r14d, 22
    xor eax, edx
    add ebp, ecx
    add esi, r9d
    mov ecx, dword ptr [rsp + 424]
    xor ecx, r12d
    mov edx, dword ptr [rsp + 176]
    ror edx, 7
    mov r9d, dword ptr [rsp + 176]
    ror r9d, 18
    mov r15d, dword ptr [rsp + 228]
    shr r15d, 10
    xor ebx, r8d
    xor r14d, eax
    add esi, ebp
    mov eax, ebp
    ror eax, 6
    mov r8d, ebp
    ror r8d, 11
    and ecx, ebp
    mov dword ptr [rsp + 428], r12d
    mov r12d, dword ptr [rsp + 420]
    lea r12d, [r10 + r12 - 778901479]
    mov r10d, dword ptr [rsp + 176]
    shr r10d, 3
    xor edx, r9d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 172]
    add ebx, dword ptr [rsp + 208]
    add r14d, esi
    mov r9d, ebp
    ror r9d, 25
    xor eax, r8d
    xor ecx, dword ptr [rsp + 424]
    add r12d, r13d
    mov r8d, r11d
    and r8d, edi
    mov esi, r11d
    xor esi, edi
    xor r10d, edx
    add r15d, ebx
    xor r9d, eax
    mov eax, r14d
    ror eax, 2
    mov edx, r14d
    ror edx, 13
    add ecx, r12d
    and esi, r14d
    sub r8d, r13d
    add r10d, r15d
    mov dword ptr [rsp + 236], r10d
    mov ebx, dword ptr [rsp + 232]
    ror ebx, 17
    mov r12d, dword ptr [rsp + 232]
    ror r12d, 19
    mov r13d, r14d
    ror r13d, 22
    xor eax, edx
    add r9d, ecx
    add esi, r8d
    mov ecx, dword ptr [rsp + 428]
    xor ecx, ebp
    mov edx, dword ptr [rsp + 180]
    ror edx, 7
    mov r8d, dword ptr [rsp + 180]
    ror r8d, 18
    mov r15d, dword ptr [rsp + 232]
    shr r15d, 10
    xor ebx, r12d
    xor r13d, eax
    add esi, r9d
    mov eax, r9d
    ror eax, 6
    mov r12d, r9d
    ror r12d, 11
    and ecx, r9d
    mov dword ptr [rsp + 432], ebp
    mov ebp, dword ptr [rsp + 424]
    lea ebp, [r10 + rbp - 694614492]
    mov r10d, dword ptr [rsp + 180]
    shr r10d, 3
    xor edx, r8d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 176]
    add ebx, dword ptr [rsp + 212]
    add r13d, esi
    mov r8d, r9d
    ror r8d, 25
    xor eax, r12d
    xor ecx, dword ptr [rsp + 428]
    add ebp, edi
    mov r12d, r14d
    and r12d, r11d
    mov esi, r14d
    xor esi, r11d
    xor r10d, edx
    add r15d, ebx
    xor r8d, eax
    mov eax, r13d
    ror eax, 2
    mov edx, r13d
    ror edx, 13
    add ecx, ebp
    and esi, r13d
    sub r12d, edi
    add r10d, r15d
    mov dword ptr [rsp + 240], r10d
    mov ebx, dword ptr [rsp + 236]
    ror ebx, 17
    mov ebp, dword ptr [rsp + 236]
    ror ebp, 19
    mov edi, r13d
    ror edi, 22
    xor eax, edx
    add r8d, ecx
    add esi, r12d
    mov ecx, dword ptr [rsp + 432]
    xor ecx, r9d
    mov edx, dword ptr [rsp + 184]
    ror edx, 7
    mov r12d, dword ptr [rsp + 184]
    ror r12d, 18
    mov r15d, dword ptr [rsp + 236]
    shr r15d, 10
    xor ebx, ebp
    xor edi, eax
    add esi, r8d
    mov eax, r8d
    ror eax, 6
    mov ebp, r8d
    ror ebp, 11
    and ecx, r8d
    mov dword ptr [rsp + 436], r9d
    mov r9d, dword ptr [rsp + 428]
    lea r9d, [r10 + r9 - 200395387]
    mov r10d, dword ptr [rsp + 184]
    shr r10d, 3
    xor edx, r12d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 180]
    add ebx, dword ptr [rsp + 216]
    add edi, esi
    mov r12d, r8d
    ror r12d, 25
    xor eax, ebp
    xor ecx, dword ptr [rsp + 432]
    add r9d, r11d
    mov ebp, r13d
    and ebp, r14d
    mov esi, r13d
    xor esi, r14d
    xor r10d, edx
    add r15d, ebx
    xor r12d, eax
    mov eax, edi
    ror eax, 2
    mov edx, edi
    ror edx, 13
    add ecx, r9d
    and esi, edi
    sub ebp, r11d
    add r10d, r15d
    mov dword ptr [rsp + 244], r10d
    mov ebx, dword ptr [rsp + 240]
    ror ebx, 17
    mov r9d, dword ptr [rsp + 240]
    ror r9d, 19
    mov r11d, edi
    ror r11d, 22
    xor eax, edx
    add r12d, ecx
    add esi, ebp
    mov ecx, dword ptr [rsp + 436]
    xor ecx, r8d
    mov edx, dword ptr [rsp + 188]
    ror edx, 7
    mov ebp, dword ptr [rsp + 188]
    ror ebp, 18
    mov r15d, dword ptr [rsp + 240]
    shr r15d, 10
    xor ebx, r9d
    xor r11d, eax
    add esi, r12d
    mov eax, r12d
    ror eax, 6
    mov r9d, r12d
    ror r9d, 11
    and ecx, r12d
    mov dword ptr [rsp + 440], r8d
    mov r8d, dword ptr [rsp + 432]
    lea r8d, [r10 + r8 + 275423344]
    mov r10d, dword ptr [rsp + 188]
    shr r10d, 3
    xor edx, ebp
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 184]
    add ebx, dword ptr [rsp + 220]
    add r11d, esi
    mov ebp, r12d
    ror ebp, 25
    xor eax, r9d
    xor ecx, dword ptr [rsp + 436]
    add r8d, r14d
    mov r9d, edi
    and r9d, r13d
    mov esi, edi
    xor esi, r13d
    xor r10d, edx
    add r15d, ebx
    xor ebp, eax
    mov eax, r11d
    ror eax, 2
    mov edx, r11d
    ror edx, 13
    add ecx, r8d
    and esi, r11d
    sub r9d, r14d
    add r10d, r15d
    mov dword ptr [rsp + 248], r10d
    mov ebx, dword ptr [rsp + 244]
    ror ebx, 17
    mov r8d, dword ptr [rsp + 244]
    ror r8d, 19
    mov r14d, r11d
    ror r14d, 22
    xor eax, edx
    add ebp, ecx
    add esi, r9d
    mov ecx, dword ptr [rsp + 440]
    xor ecx, r12d
    mov edx, dword ptr [rsp + 192]
    ror edx, 7
    mov r9d, dword ptr [rsp + 192]
    ror r9d, 18
    mov r15d, dword ptr [rsp + 244]
    shr r15d, 10
    xor ebx, r8d
    xor r14d, eax
    add esi, ebp
    mov eax, ebp
    ror eax, 6
    mov r8d, ebp
    ror r8d, 11
    and ecx, ebp
    mov dword ptr [rsp + 444], r12d
    mov r12d, dword ptr [rsp + 436]
    lea r12d, [r10 + r12 + 430227734]
    mov r10d, dword ptr [rsp + 192]
    shr r10d, 3
    xor edx, r9d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 188]
    add ebx, dword ptr [rsp + 224]
    add r14d, esi
    mov r9d, ebp
    ror r9d, 25
    xor eax, r8d
    xor ecx, dword ptr [rsp + 440]
    add r12d, r13d
    mov r8d, r11d
    and r8d, edi
    mov esi, r11d
    xor esi, edi
    xor r10d, edx
    add r15d, ebx
    xor r9d, eax
    mov eax, r14d
    ror eax, 2
    mov edx, r14d
    ror edx, 13
    add ecx, r12d
    and esi, r14d
    sub r8d, r13d
    add r10d, r15d
    mov dword ptr [rsp + 252], r10d
    mov ebx, dword ptr [rsp + 248]
    ror ebx, 17
    mov r12d, dword ptr [rsp + 248]
    ror r12d, 19
    mov r13d, r14d
    ror r13d, 22
    xor eax, edx
    add r9d, ecx
    add esi, r8d
    mov ecx, dword ptr [rsp + 444]
    xor ecx, ebp
    mov edx, dword ptr [rsp + 196]
    ror edx, 7
    mov r8d, dword ptr [rsp + 196]
    ror r8d, 18
    mov r15d, dword ptr [rsp + 248]
    shr r15d, 10
    xor ebx, r12d
    xor r13d, eax
    add esi, r9d
    mov eax, r9d
    ror eax, 6
    mov r12d, r9d
    ror r12d, 11
    and ecx, r9d
    mov dword ptr [rsp + 448], ebp
    mov ebp, dword ptr [rsp + 440]
    lea ebp, [r10 + rbp + 506948616]
    mov r10d, dword ptr [rsp + 196]
    shr r10d, 3
    xor edx, r8d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 192]
    add ebx, dword ptr [rsp + 228]
    add r13d, esi
    mov r8d, r9d
    ror r8d, 25
    xor eax, r12d
    xor ecx, dword ptr [rsp + 444]
    add ebp, edi
    mov r12d, r14d
    and r12d, r11d
    mov esi, r14d
    xor esi, r11d
    xor r10d, edx
    add r15d, ebx
    xor r8d, eax
    mov eax, r13d
    ror eax, 2
    mov edx, r13d
    ror edx, 13
    add ecx, ebp
    and esi, r13d
    sub r12d, edi
    add r10d, r15d
    mov dword ptr [rsp + 256], r10d
    mov ebx, dword ptr [rsp + 252]
    ror ebx, 17
    mov ebp, dword ptr [rsp + 252]
    ror ebp, 19
    mov edi, r13d
    ror edi, 22
    xor eax, edx
    add r8d, ecx
    add esi, r12d
    mov ecx, dword ptr [rsp + 448]
    xor ecx, r9d
    mov edx, dword ptr [rsp + 200]
    ror edx, 7
    mov r12d, dword ptr [rsp + 200]
    ror r12d, 18
    mov r15d, dword ptr [rsp + 252]
    shr r15d, 10
    xor ebx, ebp
    xor edi, eax
    add esi, r8d
    mov eax, r8d
    ror eax, 6
    mov ebp, r8d
    ror ebp, 11
    and ecx, r8d
    mov dword ptr [rsp + 452], r9d
    mov r9d, dword ptr [rsp + 444]
    lea r9d, [r10 + r9 + 659060556]
    mov r10d, dword ptr [rsp + 200]
    shr r10d, 3
    xor edx, r12d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 196]
    add ebx, dword ptr [rsp + 232]
    add edi, esi
    mov r12d, r8d
    ror r12d, 25
    xor eax, ebp
    xor ecx, dword ptr [rsp + 448]
    add r9d, r11d
    mov ebp, r13d
    and ebp, r14d
    mov esi, r13d
    xor esi, r14d
    xor r10d, edx
    add r15d, ebx
    xor r12d, eax
    mov eax, edi
    ror eax, 2
    mov edx, edi
    ror edx, 13
    add ecx, r9d
    and esi, edi
    sub ebp, r11d
    add r10d, r15d
    mov dword ptr [rsp + 260], r10d
    mov ebx, dword ptr [rsp + 256]
    ror ebx, 17
    mov r9d, dword ptr [rsp + 256]
    ror r9d, 19
    mov r11d, edi
    ror r11d, 22
    xor eax, edx
    add r12d, ecx
    add esi, ebp
    mov ecx, dword ptr [rsp + 452]
    xor ecx, r8d
    mov edx, dword ptr [rsp + 204]
    ror edx, 7
    mov ebp, dword ptr [rsp + 204]
    ror ebp, 18
    mov r15d, dword ptr [rsp + 256]
    shr r15d, 10
    xor ebx, r9d
    xor r11d, eax
    add esi, r12d
    mov eax, r12d
    ror eax, 6
    mov r9d, r12d
    ror r9d, 11
    and ecx, r12d
    mov dword ptr [rsp + 456], r8d
    mov r8d, dword ptr [rsp + 448]
    lea r8d, [r10 + r8 + 883997877]
    mov r10d, dword ptr [rsp + 204]
    shr r10d, 3
    xor edx, ebp
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 200]
    add ebx, dword ptr [rsp + 236]
    add r11d, esi
    mov ebp, r12d
    ror ebp, 25
    xor eax, r9d
    xor ecx, dword ptr [rsp + 452]
    add r8d, r14d
    mov r9d, edi
    and r9d, r13d
    mov esi, edi
    xor esi, r13d
    xor r10d, edx
    add r15d, ebx
    xor ebp, eax
    mov eax, r11d
    ror eax, 2
    mov edx, r11d
    ror edx, 13
    add ecx, r8d
    and esi, r11d
    sub r9d, r14d
    add r10d, r15d
    mov dword ptr [rsp + 264], r10d
    mov ebx, dword ptr [rsp + 260]
    ror ebx, 17
    mov r8d, dword ptr [rsp + 260]
    ror r8d, 19
    mov r14d, r11d
    ror r14d, 22
    xor eax, edx
    add ebp, ecx
    add esi, r9d
    mov ecx, dword ptr [rsp + 456]
    xor ecx, r12d
    mov edx, dword ptr [rsp + 208]
    ror edx, 7
    mov r9d, dword ptr [rsp + 208]
    ror r9d, 18
    mov r15d, dword ptr [rsp + 260]
    shr r15d, 10
    xor ebx, r8d
    xor r14d, eax
    add esi, ebp
    mov eax, ebp
    ror eax, 6
    mov r8d, ebp
    ror r8d, 11
    and ecx, ebp
    mov dword ptr [rsp + 460], r12d
    mov r12d, dword ptr [rsp + 452]
    lea r12d, [r10 + r12 + 958139571]
    mov r10d, dword ptr [rsp + 208]
    shr r10d, 3
    xor edx, r9d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 204]
    add ebx, dword ptr [rsp + 240]
    add r14d, esi
    mov r9d, ebp
    ror r9d, 25
    xor eax, r8d
    xor ecx, dword ptr [rsp + 456]
    add r12d, r13d
    mov r8d, r11d
    and r8d, edi
    mov esi, r11d
    xor esi, edi
    xor r10d, edx
    add r15d, ebx
    xor r9d, eax
    mov eax, r14d
    ror eax, 2
    mov edx, r14d
    ror edx, 13
    add ecx, r12d
    and esi, r14d
    sub r8d, r13d
    add r10d, r15d
    mov dword ptr [rsp + 268], r10d
    mov ebx, dword ptr [rsp + 264]
    ror ebx, 17
    mov r12d, dword ptr [rsp + 264]
    ror r12d, 19
    mov r13d, r14d
    ror r13d, 22
    xor eax, edx
    add r9d, ecx
    add esi, r8d
    mov ecx, dword ptr [rsp + 460]
    xor ecx, ebp
    mov edx, dword ptr [rsp + 212]
    ror edx, 7
    mov r8d, dword ptr [rsp + 212]
    ror r8d, 18
    mov r15d, dword ptr [rsp + 264]
    shr r15d, 10
    xor ebx, r12d
    xor r13d, eax
    add esi, r9d
    mov eax, r9d
    ror eax, 6
    mov r12d, r9d
    ror r12d, 11
    and ecx, r9d
    mov dword ptr [rsp + 464], ebp
    mov ebp, dword ptr [rsp + 456]
    lea ebp, [r10 + rbp + 1322822218]
    mov r10d, dword ptr [rsp + 212]
    shr r10d, 3
    xor edx, r8d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 208]
    add ebx, dword ptr [rsp + 244]
    add r13d, esi
    mov r8d, r9d
    ror r8d, 25
    xor eax, r12d
    xor ecx, dword ptr [rsp + 460]
    add ebp, edi
    mov r12d, r14d
    and r12d, r11d
    mov esi, r14d
    xor esi, r11d
    xor r10d, edx
    add r15d, ebx
    xor r8d, eax
    mov eax, r13d
    ror eax, 2
    mov edx, r13d
    ror edx, 13
    add ecx, ebp
    and esi, r13d
    sub r12d, edi
    add r10d, r15d
    mov dword ptr [rsp + 272], r10d
    mov ebx, dword ptr [rsp + 268]
    ror ebx, 17
    mov ebp, dword ptr [rsp + 268]
    ror ebp, 19
    mov edi, r13d
    ror edi, 22
    xor eax, edx
    add r8d, ecx
    add esi, r12d
    mov ecx, dword ptr [rsp + 464]
    xor ecx, r9d
    mov edx, dword ptr [rsp + 216]
    ror edx, 7
    mov r12d, dword ptr [rsp + 216]
    ror r12d, 18
    mov r15d, dword ptr [rsp + 268]
    shr r15d, 10
    xor ebx, ebp
    xor edi, eax
    add esi, r8d
    mov eax, r8d
    ror eax, 6
    mov ebp, r8d
    ror ebp, 11
    and ecx, r8d
    mov dword ptr [rsp + 468], r9d
    mov r9d, dword ptr [rsp + 460]
    lea r9d, [r10 + r9 + 1537002063]
    mov r10d, dword ptr [rsp + 216]
    shr r10d, 3
    xor edx, r12d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 212]
    add ebx, dword ptr [rsp + 248]
    add edi, esi
    mov r12d, r8d
    ror r12d, 25
    xor eax, ebp
    xor ecx, dword ptr [rsp + 464]
    add r9d, r11d
    mov ebp, r13d
    and ebp, r14d
    mov esi, r13d
    xor esi, r14d
    xor r10d, edx
    add r15d, ebx
    xor r12d, eax
    mov eax, edi
    ror eax, 2
    mov edx, edi
    ror edx, 13
    add ecx, r9d
    and esi, edi
    sub ebp, r11d
    add r10d, r15d
    mov dword ptr [rsp + 276], r10d
    mov ebx, dword ptr [rsp + 272]
    ror ebx, 17
    mov r9d, dword ptr [rsp + 272]
    ror r9d, 19
    mov r11d, edi
    ror r11d, 22
    xor eax, edx
    add r12d, ecx
    add esi, ebp
    mov ecx, dword ptr [rsp + 468]
    xor ecx, r8d
    mov edx, dword ptr [rsp + 220]
    ror edx, 7
    mov ebp, dword ptr [rsp + 220]
    ror ebp, 18
    mov r15d, dword ptr [rsp + 272]
    shr r15d, 10
    xor ebx, r9d
    xor r11d, eax
    add esi, r12d
    mov eax, r12d
    ror eax, 6
    mov r9d, r12d
    ror r9d, 11
    and ecx, r12d
    mov dword ptr [rsp + 472], r8d
    mov r8d, dword ptr [rsp + 464]
    lea r8d, [r10 + r8 + 1747873779]
    mov r10d, dword ptr [rsp + 220]
    shr r10d, 3
    xor edx, ebp
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 216]
    add ebx, dword ptr [rsp + 252]
    add r11d, esi
    mov ebp, r12d
    ror ebp, 25
    xor eax, r9d
    xor ecx, dword ptr [rsp + 468]
    add r8d, r14d
    mov r9d, edi
    and r9d, r13d
    mov esi, edi
    xor esi, r13d
    xor r10d, edx
    add r15d, ebx
    xor ebp, eax
    mov eax, r11d
    ror eax, 2
    mov edx, r11d
    ror edx, 13
    add ecx, r8d
    and esi, r11d
    sub r9d, r14d
    add r10d, r15d
    mov dword ptr [rsp + 280], r10d
    mov ebx, dword ptr [rsp + 276]
    ror ebx, 17
    mov r8d, dword ptr [rsp + 276]
    ror r8d, 19
    mov r14d, r11d
    ror r14d, 22
    xor eax, edx
    add ebp, ecx
    add esi, r9d
    mov ecx, dword ptr [rsp + 472]
    xor ecx, r12d
    mov edx, dword ptr [rsp + 224]
    ror edx, 7
    mov r9d, dword ptr [rsp + 224]
    ror r9d, 18
    mov r15d, dword ptr [rsp + 276]
    shr r15d, 10
    xor ebx, r8d
    xor r14d, eax
    add esi, ebp
    mov eax, ebp
    ror eax, 6
    mov r8d, ebp
    ror r8d, 11
    and ecx, ebp
    mov dword ptr [rsp + 476], r12d
    mov r12d, dword ptr [rsp + 468]
    lea r12d, [r10 + r12 + 1955562222]
    mov r10d, dword ptr [rsp + 224]
    shr r10d, 3
    xor edx, r9d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 220]
    add ebx, dword ptr [rsp + 256]
    add r14d, esi
    mov r9d, ebp
    ror r9d, 25
    xor eax, r8d
    xor ecx, dword ptr [rsp + 472]
    add r12d, r13d
    mov r8d, r11d
    and r8d, edi
    mov esi, r11d
    xor esi, edi
    xor r10d, edx
    add r15d, ebx
    xor r9d, eax
    mov eax, r14d
    ror eax, 2
    mov edx, r14d
    ror edx, 13
    add ecx, r12d
    and esi, r14d
    sub r8d, r13d
    add r10d, r15d
    mov dword ptr [rsp + 284], r10d
    mov ebx, dword ptr [rsp + 280]
    ror ebx, 17
    mov r12d, dword ptr [rsp + 280]
    ror r12d, 19
    mov r13d, r14d
    ror r13d, 22
    xor eax, edx
    add r9d, ecx
    add esi, r8d
    mov ecx, dword ptr [rsp + 476]
    xor ecx, ebp
    mov edx, dword ptr [rsp + 228]
    ror edx, 7
    mov r8d, dword ptr [rsp + 228]
    ror r8d, 18
    mov r15d, dword ptr [rsp + 280]
    shr r15d, 10
    xor ebx, r12d
    xor r13d, eax
    add esi, r9d
    mov eax, r9d
    ror eax, 6
    mov r12d, r9d
    ror r12d, 11
    and ecx, r9d
    mov dword ptr [rsp + 480], ebp
    mov ebp, dword ptr [rsp + 472]
    lea ebp, [r10 + rbp + 2024104815]
    mov r10d, dword ptr [rsp + 228]
    shr r10d, 3
    xor edx, r8d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 224]
    add ebx, dword ptr [rsp + 260]
    add r13d, esi
    mov r8d, r9d
    ror r8d, 25
    xor eax, r12d
    xor ecx, dword ptr [rsp + 476]
    add ebp, edi
    mov r12d, r14d
    and r12d, r11d
    mov esi, r14d
    xor esi, r11d
    xor r10d, edx
    add r15d, ebx
    xor r8d, eax
    mov eax, r13d
    ror eax, 2
    mov edx, r13d
    ror edx, 13
    add ecx, ebp
    and esi, r13d
    sub r12d, edi
    add r10d, r15d
    mov dword ptr [rsp + 288], r10d
    mov ebx, dword ptr [rsp + 284]
    ror ebx, 17
    mov ebp, dword ptr [rsp + 284]
    ror ebp, 19
    mov edi, r13d
    ror edi, 22
    xor eax, edx
    add r8d, ecx
    add esi, r12d
    mov ecx, dword ptr [rsp + 480]
    xor ecx, r9d
    mov edx, dword ptr [rsp + 232]
    ror edx, 7
    mov r12d, dword ptr [rsp + 232]
    ror r12d, 18
    mov r15d, dword ptr [rsp + 284]
    shr r15d, 10
    xor ebx, ebp
    xor edi, eax
    add esi, r8d
    mov eax, r8d
    ror eax, 6
    mov ebp, r8d
    ror ebp, 11
    and ecx, r8d
    mov dword ptr [rsp + 484], r9d
    mov r9d, dword ptr [rsp + 476]
    lea r9d, [r10 + r9 - 2067236844]
    mov r10d, dword ptr [rsp + 232]
    shr r10d, 3
    xor edx, r12d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 228]
    add ebx, dword ptr [rsp + 264]
    add edi, esi
    mov r12d, r8d
    ror r12d, 25
    xor eax, ebp
    xor ecx, dword ptr [rsp + 480]
    add r9d, r11d
    mov ebp, r13d
    and ebp, r14d
    mov esi, r13d
    xor esi, r14d
    xor r10d, edx
    add r15d, ebx
    xor r12d, eax
    mov eax, edi
    ror eax, 2
    mov edx, edi
    ror edx, 13
    add ecx, r9d
    and esi, edi
    sub ebp, r11d
    add r10d, r15d
    mov dword ptr [rsp + 292], r10d
    mov ebx, dword ptr [rsp + 288]
    ror ebx, 17
    mov r9d, dword ptr [rsp + 288]
    ror r9d, 19
    mov r11d, edi
    ror r11d, 22
    xor eax, edx
    add r12d, ecx
    add esi, ebp
    mov ecx, dword ptr [rsp + 484]
    xor ecx, r8d
    mov edx, dword ptr [rsp + 236]
    ror edx, 7
    mov ebp, dword ptr [rsp + 236]
    ror ebp, 18
    mov r15d, dword ptr [rsp + 288]
    shr r15d, 10
    xor ebx, r9d
    xor r11d, eax
    add esi, r12d
    mov eax, r12d
    ror eax, 6
    mov r9d, r12d
    ror r9d, 11
    and ecx, r12d
    mov dword ptr [rsp + 488], r8d
    mov r8d, dword ptr [rsp + 480]
    lea r8d, [r10 + r8 - 1933114872]
    mov r10d, dword ptr [rsp + 236]
    shr r10d, 3
    xor edx, ebp
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 232]
    add ebx, dword ptr [rsp + 268]
    add r11d, esi
    mov ebp, r12d
    ror ebp, 25
    xor eax, r9d
    xor ecx, dword ptr [rsp + 484]
    add r8d, r14d
    mov r9d, edi
    and r9d, r13d
    mov esi, edi
    xor esi, r13d
    xor r10d, edx
    add r15d, ebx
    xor ebp, eax
    mov eax, r11d
    ror eax, 2
    mov edx, r11d
    ror edx, 13
    add ecx, r8d
    and esi, r11d
    sub r9d, r14d
    add r10d, r15d
    mov dword ptr [rsp + 296], r10d
    mov ebx, dword ptr [rsp + 292]
    ror ebx, 17
    mov r8d, dword ptr [rsp + 292]
    ror r8d, 19
    mov r14d, r11d
    ror r14d, 22
    xor eax, edx
    add ebp, ecx
    add esi, r9d
    mov ecx, dword ptr [rsp + 488]
    xor ecx, r12d
    mov edx, dword ptr [rsp + 240]
    ror edx, 7
    mov r9d, dword ptr [rsp + 240]
    ror r9d, 18
    mov r15d, dword ptr [rsp + 292]
    shr r15d, 10
    xor ebx, r8d
    xor r14d, eax
    add esi, ebp
    mov eax, ebp
    ror eax, 6
    mov r8d, ebp
    ror r8d, 11
    and ecx, ebp
    mov dword ptr [rsp + 492], r12d
    mov r12d, dword ptr [rsp + 484]
    lea r12d, [r10 + r12 - 1866530822]
    mov r10d, dword ptr [rsp + 240]
    shr r10d, 3
    xor edx, r9d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 236]
    add ebx, dword ptr [rsp + 272]
    add r14d, esi
    mov r9d, ebp
    ror r9d, 25
    xor eax, r8d
    xor ecx, dword ptr [rsp + 488]
    add r12d, r13d
    mov r8d, r11d
    and r8d, edi
    mov esi, r11d
    xor esi, edi
    xor r10d, edx
    add r15d, ebx
    xor r9d, eax
    mov eax, r14d
    ror eax, 2
    mov edx, r14d
    ror edx, 13
    add ecx, r12d
    and esi, r14d
    sub r8d, r13d
    add r10d, r15d
    mov dword ptr [rsp + 300], r10d
    mov ebx, dword ptr [rsp + 296]
    ror ebx, 17
    mov r12d, dword ptr [rsp + 296]
    ror r12d, 19
    mov r13d, r14d
    ror r13d, 22
    xor eax, edx
    add r9d, ecx
    add esi, r8d
    mov ecx, dword ptr [rsp + 492]
    xor ecx, ebp
    mov edx, dword ptr [rsp + 244]
    ror edx, 7
    mov r8d, dword ptr [rsp + 244]
    ror r8d, 18
    mov r15d, dword ptr [rsp + 296]
    shr r15d, 10
    xor ebx, r12d
    xor r13d, eax
    add esi, r9d
    mov eax, r9d
    ror eax, 6
    mov r12d, r9d
    ror r12d, 11
    and ecx, r9d
    mov dword ptr [rsp + 496], ebp
    mov ebp, dword ptr [rsp + 488]
    lea ebp, [r10 + rbp - 1538233109]
    mov r10d, dword ptr [rsp + 244]
    shr r10d, 3
    xor edx, r8d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 240]
    add ebx, dword ptr [rsp + 276]
    add r13d, esi
    mov r8d, r9d
    ror r8d, 25
    xor eax, r12d
    xor ecx, dword ptr [rsp + 492]
    add ebp, edi
    mov r12d, r14d
    and r12d, r11d
    mov esi, r14d
    xor esi, r11d
    xor r10d, edx
    add r15d, ebx
    xor r8d, eax
    mov eax, r13d
    ror eax, 2
    mov edx, r13d
    ror edx, 13
    add ecx, ebp
    and esi, r13d
    sub r12d, edi
    add r10d, r15d
    mov ebx, dword ptr [rsp + 300]
    ror ebx, 17
    mov ebp, dword ptr [rsp + 300]
    ror ebp, 19
    mov edi, r13d
    ror edi, 22
    xor eax, edx
    add r8d, ecx
    add esi, r12d
    mov ecx, dword ptr [rsp + 496]
    xor ecx, r9d
    mov edx, dword ptr [rsp + 248]
    ror edx, 7
    mov r12d, dword ptr [rsp + 248]
    ror r12d, 18
    mov r15d, dword ptr [rsp + 300]
    shr r15d, 10
    xor ebx, ebp
    xor edi, eax
    add esi, r8d
    mov eax, r8d
    ror eax, 6
    mov ebp, r8d
    ror ebp, 11
    and ecx, r8d
    mov dword ptr [rsp + 500], r9d
    mov r9d, dword ptr [rsp + 492]
    lea r9d, [r10 + r9 - 1090935817]
    mov r10d, dword ptr [rsp + 248]
    shr r10d, 3
    xor edx, r12d
    xor r15d, ebx
    mov ebx, dword ptr [rsp + 244]
    add ebx, dword ptr [rsp + 280]
    add edi, esi
    mov r12d, r8d
    ror r12d, 25
    xor eax, ebp
    xor ecx, dword ptr [rsp + 496]
    add r9d, r11d
    mov ebp, r13d
    and ebp, r14d
    mov esi, r13d
    xor esi, r14d
    xor r10d, edx
    add r15d, ebx
    xor r12d, eax
    mov eax, edi
    ror eax, 2
    mov edx, edi
    ror edx, 13
    add ecx, r9d
    and esi, edi
    sub ebp, r11d
    add r10d, r15d
    mov ebx, edi
    ror ebx, 22
    xor eax, edx
    add r12d, ecx
    add esi, ebp
    mov ecx, dword ptr [rsp + 500]
    xor ecx, r8d
    xor ebx, eax
    add esi, r12d
    mov eax, r12d
    ror eax, 6
    mov edx, r12d
    ror edx, 11
    and ecx, r12d
    mov ebp, dword ptr [rsp + 496]
    lea ebp, [r10 + rbp - 965641998]
    add ebx, esi
    mov r9d, r12d
    ror r9d, 25
    xor eax, edx
    xor ecx, dword ptr [rsp + 500]
    add ebp, r14d
    mov edx, edi
    and edx, r13d
    mov r10d, edi
    xor r10d, r13d
    xor r9d, eax
    mov eax, ebx
    ror eax, 2
    mov r11d, ebx
    ror r11d, 13
    add ecx, ebp
    and r10d, ebx
    sub edx, r14d
    mov ebp, ebx
    ror ebp, 22
    xor eax, r11d
    add r9d, ecx
    add r10d, edx
    xor ebp, eax
    add r10d, r9d
    add ebp, r10d
    add ebp, dword ptr [rsp]
    add ebx, dword ptr [rsp + 4]
    add edi, dword ptr [rsp + 8]
    add r13d, dword ptr [rsp + 12]
    add r9d, dword ptr [rsp + 16]
    add r12d, dword ptr [rsp + 20]
    add r8d, dword ptr [rsp + 24]
    mov eax, dword ptr [rsp + 28]
    add eax, dword ptr [rsp + 500]
    mov dword ptr [rsp], ebp
    mov dword ptr [rsp + 4], ebx
    mov dword ptr [rsp + 8], edi
    mov dword ptr [rsp + 12], r13d
    mov dword ptr [rsp + 16], r9d
    mov dword ptr [rsp + 20], r12d
    mov dword ptr [rsp + 24], r8d
    mov dword ptr [rsp + 28], eax
    mov ecx, ebx
    mov edx, edi
    mov edi, r12d
    mov ebx, r13d
    mov r10d, ebp
    mov ebp, r9d
    mov r9d, eax
    mov eax, r10d
    sub qword ptr [rsp + 48], 1
    jnz .Lsha256_x86_64_block
    mov rsi, qword ptr [rsp + 32]
    mov dword ptr [rsi], eax
    mov dword ptr [rsi + 4], ecx
    mov dword ptr [rsi + 8], edx
    mov dword ptr [rsi + 12], ebx
    mov dword ptr [rsi + 16], ebp
    mov dword ptr [rsi + 24], r8d
    mov dword ptr [rsi + 28], r9d
    mov dword ptr [rsi + 20], edi
    add rsp, 504
    .cfi_def_cfa_offset 56
    pop r15
    .cfi_def_cfa_offset 48
    .cfi_restore r15
    pop r14
    .cfi_def_cfa_offset 40
    .cfi_restore r14
    pop r13
    .cfi_def_cfa_offset 32
    .cfi_restore r13
    pop r12
    .cfi_def_cfa_offset 24
    .cfi_restore r12
    pop rbp
    .cfi_def_cfa_offset 16
    .cfi_restore rbp
    pop rbx
    .cfi_def_cfa_offset 8
    .cfi_restore rbx
.Lsha256_x86_64_end:
    ret
    .cfi_endproc
