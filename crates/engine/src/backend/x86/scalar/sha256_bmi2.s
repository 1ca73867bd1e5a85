    .cfi_startproc
    test rdx, rdx
    jz .Lsha256_bmi2_end
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
    sub rsp, 512
    .cfi_def_cfa_offset 568
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
.Lsha256_bmi2_block:
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
    mov r10d, dword ptr [rsp + 56]
    lea r9d, [r9 + r10 + 1116352408]
    rorx r10d, ebp, 6
    rorx r11d, ebp, 11
    andn r12d, ebp, r8d
    add r9d, ebx
    rorx r13d, ebp, 25
    xor r10d, r11d
    mov r11d, edi
    and r11d, ebp
    mov r14d, edx
    and r14d, ecx
    mov r15d, edx
    xor r15d, ecx
    add r12d, r9d
    rorx r9d, eax, 2
    rorx esi, eax, 13
    xor r13d, r10d
    and r15d, eax
    sub r14d, ebx
    add r11d, r12d
    rorx ebx, eax, 22
    xor r9d, esi
    add r15d, r14d
    mov r10d, dword ptr [rsp + 60]
    lea r8d, [r8 + r10 + 1899447441]
    add r13d, r11d
    xor ebx, r9d
    add r8d, edx
    add r15d, r13d
    rorx r9d, r13d, 6
    rorx r10d, r13d, 11
    andn r11d, r13d, edi
    mov r12d, ecx
    and r12d, eax
    mov r14d, ecx
    xor r14d, eax
    add ebx, r15d
    rorx r15d, r13d, 25
    xor r9d, r10d
    mov r10d, r13d
    and r10d, ebp
    add r8d, r11d
    sub r12d, edx
    xor r15d, r9d
    rorx edx, ebx, 2
    rorx r9d, ebx, 13
    add r10d, r8d
    and r14d, ebx
    mov r8d, dword ptr [rsp + 64]
    lea edi, [rdi + r8 - 1245643825]
    rorx r8d, ebx, 22
    xor edx, r9d
    add r15d, r10d
    add r12d, r14d
    add edi, ecx
    xor r8d, edx
    add r12d, r15d
    rorx edx, r15d, 6
    rorx r9d, r15d, 11
    andn r10d, r15d, ebp
    add r8d, r12d
    rorx r11d, r15d, 25
    xor edx, r9d
    mov r9d, r15d
    and r9d, r13d
    add edi, r10d
    mov r10d, ebx
    and r10d, eax
    mov r12d, ebx
    xor r12d, eax
    xor r11d, edx
    rorx edx, r8d, 2
    rorx r14d, r8d, 13
    add r9d, edi
    and r12d, r8d
    sub r10d, ecx
    mov ecx, dword ptr [rsp + 68]
    lea ecx, [rbp + rcx - 373957723]
    rorx ebp, r8d, 22
    xor edx, r14d
    add r11d, r9d
    add r12d, r10d
    add ecx, eax
    xor ebp, edx
    add r12d, r11d
    rorx edx, r11d, 6
    rorx edi, r11d, 11
    andn r9d, r11d, r13d
    add ebp, r12d
    rorx r10d, r11d, 25
    xor edx, edi
    mov edi, r11d
    and edi, r15d
    add ecx, r9d
    mov r9d, r8d
    and r9d, ebx
    mov r12d, r8d
    xor r12d, ebx
    xor r10d, edx
    rorx edx, ebp, 2
    rorx r14d, ebp, 13
    add edi, ecx
    and r12d, ebp
    sub r9d, eax
    rorx eax, ebp, 22
    xor edx, r14d
    add r10d, edi
    add r12d, r9d
    mov ecx, dword ptr [rsp + 72]
    lea ecx, [rcx + r13 + 961987163]
    xor eax, edx
    add r12d, r10d
    rorx edx, r10d, 6
    rorx edi, r10d, 11
    andn r9d, r10d, r15d
    add ecx, ebx
    add eax, r12d
    rorx r12d, r10d, 25
    xor edx, edi
    mov edi, r10d
    and edi, r11d
    add r9d, ecx
    mov ecx, ebp
    and ecx, r8d
    mov r13d, ebp
    xor r13d, r8d
    xor r12d, edx
    rorx edx, eax, 2
    rorx r14d, eax, 13
    add edi, r9d
    and r13d, eax
    sub ecx, ebx
    rorx ebx, eax, 22
    xor edx, r14d
    add r12d, edi
    add r13d, ecx
    mov ecx, dword ptr [rsp + 76]
    lea ecx, [rcx + r15 + 1508970993]
    xor ebx, edx
    add r13d, r12d
    rorx edx, r12d, 6
    rorx edi, r12d, 11
    andn r9d, r12d, r11d
    add ecx, r8d
    add ebx, r13d
    rorx r13d, r12d, 25
    xor edx, edi
    mov edi, r12d
    and edi, r10d
    add r9d, ecx
    mov ecx, eax
    and ecx, ebp
    mov r14d, eax
    xor r14d, ebp
    xor r13d, edx
    rorx edx, ebx, 2
    rorx r15d, ebx, 13
    add edi, r9d
    and r14d, ebx
    sub ecx, r8d
    rorx r8d, ebx, 22
    xor edx, r15d
    add r13d, edi
    add r14d, ecx
    mov ecx, dword ptr [rsp + 80]
    lea ecx, [rcx + r11 - 1841331548]
    xor r8d, edx
    add r14d, r13d
    rorx edx, r13d, 6
    rorx edi, r13d, 11
    andn r9d, r13d, r10d
    add ecx, ebp
    add r8d, r14d
    rorx r11d, r13d, 25
    xor edx, edi
    mov edi, r13d
    and edi, r12d
    add r9d, ecx
    mov ecx, ebx
    and ecx, eax
    mov r14d, ebx
    xor r14d, eax
    xor r11d, edx
    rorx edx, r8d, 2
    rorx r15d, r8d, 13
    add edi, r9d
    and r14d, r8d
    sub ecx, ebp
    rorx ebp, r8d, 22
    xor edx, r15d
    add r11d, edi
    add r14d, ecx
    mov ecx, dword ptr [rsp + 84]
    lea ecx, [rcx + r10 - 1424204075]
    xor ebp, edx
    add r14d, r11d
    rorx edx, r11d, 6
    rorx edi, r11d, 11
    andn r9d, r11d, r12d
    add ecx, eax
    add ebp, r14d
    rorx r10d, r11d, 25
    xor edx, edi
    mov edi, r11d
    and edi, r13d
    add r9d, ecx
    mov ecx, r8d
    and ecx, ebx
    mov r14d, r8d
    xor r14d, ebx
    xor r10d, edx
    rorx edx, ebp, 2
    rorx r15d, ebp, 13
    add edi, r9d
    and r14d, ebp
    sub ecx, eax
    rorx eax, ebp, 22
    xor edx, r15d
    add r10d, edi
    add r14d, ecx
    mov ecx, dword ptr [rsp + 88]
    lea ecx, [rcx + r12 - 670586216]
    xor eax, edx
    add r14d, r10d
    rorx edx, r10d, 6
    rorx edi, r10d, 11
    andn r9d, r10d, r13d
    add ecx, ebx
    add eax, r14d
    rorx r12d, r10d, 25
    xor edx, edi
    mov edi, r10d
    and edi, r11d
    add r9d, ecx
    mov ecx, ebp
    and ecx, r8d
    mov r14d, ebp
    xor r14d, r8d
    xor r12d, edx
    rorx edx, eax, 2
    rorx r15d, eax, 13
    add edi, r9d
    and r14d, eax
    sub ecx, ebx
    rorx ebx, eax, 22
    xor edx, r15d
    add r12d, edi
    add r14d, ecx
    mov ecx, dword ptr [rsp + 92]
    lea ecx, [rcx + r13 + 310598401]
    xor ebx, edx
    add r14d, r12d
    rorx edx, r12d, 6
    rorx edi, r12d, 11
    andn r9d, r12d, r11d
    add ecx, r8d
    add ebx, r14d
    rorx r13d, r12d, 25
    xor edx, edi
    mov edi, r12d
    and edi, r10d
    add r9d, ecx
    mov ecx, eax
    and ecx, ebp
    mov r14d, eax
    xor r14d, ebp
    xor r13d, edx
    rorx edx, ebx, 2
    rorx r15d, ebx, 13
    add edi, r9d
    and r14d, ebx
    sub ecx, r8d
    rorx r8d, ebx, 22
    xor edx, r15d
    add r13d, edi
    add r14d, ecx
    mov ecx, dword ptr [rsp + 96]
    lea ecx, [rcx + r11 + 607225278]
    xor r8d, edx
    add r14d, r13d
    rorx edx, r13d, 6
    rorx edi, r13d, 11
    andn r9d, r13d, r10d
    add ecx, ebp
    add r8d, r14d
    rorx r11d, r13d, 25
    xor edx, edi
    mov edi, r13d
    and edi, r12d
    add r9d, ecx
    mov ecx, ebx
    and ecx, eax
    mov r14d, ebx
    xor r14d, eax
    xor r11d, edx
    rorx edx, r8d, 2
    rorx r15d, r8d, 13
    add edi, r9d
    and r14d, r8d
    sub ecx, ebp
    rorx ebp, r8d, 22
    xor edx, r15d
    add r11d, edi
    add r14d, ecx
    mov ecx, dword ptr [rsp + 100]
    lea ecx, [rcx + r10 + 1426881987]
    xor ebp, edx
    add r14d, r11d
    rorx edx, r11d, 6
    rorx edi, r11d, 11
    andn r9d, r11d, r12d
    add ecx, eax
    add ebp, r14d
    rorx r10d, r11d, 25
    xor edx, edi
    mov edi, r11d
    and edi, r13d
    add r9d, ecx
    mov ecx, r8d
    and ecx, ebx
    mov r14d, r8d
    xor r14d, ebx
    xor r10d, edx
    rorx edx, ebp, 2
    rorx r15d, ebp, 13
    add edi, r9d
    and r14d, ebp
    sub ecx, eax
    rorx eax, ebp, 22
    xor edx, r15d
    add r10d, edi
    add r14d, ecx
    mov ecx, dword ptr [rsp + 104]
    lea ecx, [rcx + r12 + 1925078388]
    xor eax, edx
    add r14d, r10d
    rorx edx, r10d, 6
    rorx edi, r10d, 11
    andn r9d, r10d, r13d
    add ecx, ebx
    add eax, r14d
    rorx r12d, r10d, 25
    xor edx, edi
    mov edi, r10d
    and edi, r11d
    add r9d, ecx
    mov ecx, ebp
    and ecx, r8d
    mov r14d, ebp
    xor r14d, r8d
    xor r12d, edx
    rorx edx, eax, 2
    rorx r15d, eax, 13
    add edi, r9d
    and r14d, eax
    sub ecx, ebx
    rorx ebx, eax, 22
    xor edx, r15d
    add r12d, edi
    add r14d, ecx
    mov ecx, dword ptr [rsp + 108]
    lea ecx, [rcx + r13 - 2132889090]
    xor ebx, edx
    add r14d, r12d
    rorx edx, r12d, 6
    rorx edi, r12d, 11
    andn r9d, r12d, r11d
    add ecx, r8d
    add ebx, r14d
    rorx r13d, r12d, 25
    xor edx, edi
    mov edi, r12d
    and edi, r10d
    add r9d, ecx
    mov ecx, eax
    and ecx, ebp
    mov r14d, eax
    xor r14d, ebp
    xor r13d, edx
    rorx edx, ebx, 2
    rorx r15d, ebx, 13
    add edi, r9d
    and r14d, ebx
    sub ecx, r8d
    rorx r8d, ebx, 22
    xor edx, r15d
    add r13d, edi
    add r14d, ecx
    mov ecx, dword ptr [rsp + 112]
    lea edi, [rcx + r11 - 1680079193]
    xor r8d, edx
    add r14d, r13d
    rorx edx, r13d, 6
    rorx r9d, r13d, 11
    andn r11d, r13d, r10d
    add edi, ebp
    add r8d, r14d
    rorx r14d, r13d, 25
    xor edx, r9d
    mov r9d, r13d
    and r9d, r12d
    add r11d, edi
    mov edi, ebx
    and edi, eax
    mov r15d, ebx
    xor r15d, eax
    rorx esi, ecx, 17
    mov dword ptr [rsp + 312], ebx
    rorx ebx, ecx, 19
    xor r14d, edx
    rorx edx, r8d, 2
    rorx ecx, r8d, 13
    add r9d, r11d
    and r15d, r8d
    sub edi, ebp
    rorx ebp, dword ptr [rsp + 60], 7
    rorx r11d, dword ptr [rsp + 60], 18
    mov dword ptr [rsp + 316], r13d
    mov r13d, dword ptr [rsp + 112]
    shr r13d, 10
    xor esi, ebx
    rorx ebx, r8d, 22
    xor edx, ecx
    add r14d, r9d
    add r15d, edi
    mov ecx, dword ptr [rsp + 116]
    lea edi, [rcx + r10 - 1046744716]
    mov r9d, dword ptr [rsp + 60]
    shr r9d, 3
    xor ebp, r11d
    xor r13d, esi
    mov r10d, dword ptr [rsp + 56]
    add r10d, dword ptr [rsp + 92]
    xor ebx, edx
    add r15d, r14d
    rorx edx, r14d, 6
    rorx r11d, r14d, 11
    andn esi, r14d, r12d
    add edi, eax
    xor r9d, ebp
    add r13d, r10d
    add ebx, r15d
    rorx ebp, r14d, 25
    xor edx, r11d
    mov r10d, dword ptr [rsp + 316]
    and r10d, r14d
    add esi, edi
    mov edi, dword ptr [rsp + 312]
    and edi, r8d
    mov r11d, dword ptr [rsp + 312]
    xor r11d, r8d
    rorx r15d, ecx, 17
    mov dword ptr [rsp + 320], r8d
    rorx r8d, ecx, 19
    add r9d, r13d
    mov dword ptr [rsp + 120], r9d
    xor ebp, edx
    rorx edx, ebx, 2
    rorx r13d, ebx, 13
    add r10d, esi
    and r11d, ebx
    sub edi, eax
    rorx eax, dword ptr [rsp + 64], 7
    rorx esi, dword ptr [rsp + 64], 18
    shr ecx, 10
    xor r15d, r8d
    rorx r8d, ebx, 22
    xor edx, r13d
    add ebp, r10d
    add r11d, edi
    lea edi, [r9 + r12 - 459576895]
    mov r10d, dword ptr [rsp + 64]
    shr r10d, 3
    xor eax, esi
    xor ecx, r15d
    mov r12d, dword ptr [rsp + 60]
    add r12d, dword ptr [rsp + 96]
    xor r8d, edx
    add r11d, ebp
    rorx edx, ebp, 6
    rorx r13d, ebp, 11
    andn r15d, ebp, dword ptr [rsp + 316]
    add edi, dword ptr [rsp + 312]
    xor r10d, eax
    add ecx, r12d
    add r8d, r11d
    rorx eax, ebp, 25
    xor edx, r13d
    mov r11d, ebp
    and r11d, r14d
    add r15d, edi
    mov edi, dword ptr [rsp + 320]
    and edi, ebx
    mov r12d, dword ptr [rsp + 320]
    xor r12d, ebx
    add r10d, ecx
    mov dword ptr [rsp + 124], r10d
    rorx ecx, r9d, 17
    rorx r13d, r9d, 19
    xor eax, edx
    rorx edx, r8d, 2
    rorx esi, r8d, 13
    add r11d, r15d
    and r12d, r8d
    sub edi, dword ptr [rsp + 312]
    rorx r15d, dword ptr [rsp + 68], 7
    rorx r10d, dword ptr [rsp + 68], 18
    shr r9d, 10
    xor ecx, r13d
    rorx r13d, r8d, 22
    xor edx, esi
    add eax, r11d
    add r12d, edi
    mov edi, dword ptr [rsp + 124]
    mov r11d, dword ptr [rsp + 316]
    lea r11d, [rdi + r11 - 272742522]
    mov esi, dword ptr [rsp + 68]
    shr esi, 3
    xor r15d, r10d
    xor r9d, ecx
    mov ecx, dword ptr [rsp + 64]
    add ecx, dword ptr [rsp + 100]
    xor r13d, edx
    add r12d, eax
    rorx edx, eax, 6
    rorx r10d, eax, 11
    andn edi, eax, r14d
    add r11d, dword ptr [rsp + 320]
    xor esi, r15d
    add r9d, ecx
    add r13d, r12d
    rorx ecx, eax, 25
    xor edx, r10d
    mov r10d, eax
    and r10d, ebp
    add edi, r11d
    mov r11d, r8d
    and r11d, ebx
    mov r12d, r8d
    xor r12d, ebx
    add esi, r9d
    mov dword ptr [rsp + 128], esi
    rorx r9d, dword ptr [rsp + 124], 17
    rorx r15d, dword ptr [rsp + 124], 19
    xor ecx, edx
    rorx edx, r13d, 2
    rorx esi, r13d, 13
    add r10d, edi
    and r12d, r13d
    sub r11d, dword ptr [rsp + 320]
    rorx edi, dword ptr [rsp + 72], 7
    mov dword ptr [rsp + 324], r8d
    rorx r8d, dword ptr [rsp + 72], 18
    mov dword ptr [rsp + 328], eax
    mov eax, dword ptr [rsp + 124]
    shr eax, 10
    xor r9d, r15d
    rorx r15d, r13d, 22
    xor edx, esi
    add ecx, r10d
    add r12d, r11d
    mov r10d, dword ptr [rsp + 128]
    lea r11d, [r10 + r14 + 264347078]
    mov r14d, dword ptr [rsp + 72]
    shr r14d, 3
    xor edi, r8d
    xor eax, r9d
    mov r8d, dword ptr [rsp + 68]
    add r8d, dword ptr [rsp + 104]
    xor r15d, edx
    add r12d, ecx
    rorx edx, ecx, 6
    rorx r9d, ecx, 11
    andn esi, ecx, ebp
    add r11d, ebx
    xor r14d, edi
    add eax, r8d
    add r15d, r12d
    rorx edi, ecx, 25
    xor edx, r9d
    mov r8d, dword ptr [rsp + 328]
    and r8d, ecx
    add esi, r11d
    mov r9d, dword ptr [rsp + 324]
    and r9d, r13d
    mov r11d, dword ptr [rsp + 324]
    xor r11d, r13d
    add r14d, eax
    mov dword ptr [rsp + 132], r14d
    rorx eax, r10d, 17
    rorx r12d, r10d, 19
    xor edi, edx
    rorx edx, r15d, 2
    rorx r14d, r15d, 13
    add r8d, esi
    and r11d, r15d
    sub r9d, ebx
    rorx ebx, dword ptr [rsp + 76], 7
    rorx esi, dword ptr [rsp + 76], 18
    shr r10d, 10
    xor eax, r12d
    rorx r12d, r15d, 22
    xor edx, r14d
    add edi, r8d
    add r11d, r9d
    mov r8d, dword ptr [rsp + 132]
    lea ebp, [r8 + rbp + 604807628]
    mov r9d, dword ptr [rsp + 76]
    shr r9d, 3
    xor ebx, esi
    xor r10d, eax
    mov eax, dword ptr [rsp + 72]
    add eax, dword ptr [rsp + 108]
    xor r12d, edx
    add r11d, edi
    rorx edx, edi, 6
    rorx r14d, edi, 11
    andn esi, edi, dword ptr [rsp + 328]
    add ebp, dword ptr [rsp + 324]
    xor r9d, ebx
    add r10d, eax
    add r12d, r11d
    rorx eax, edi, 25
    xor edx, r14d
    mov ebx, edi
    and ebx, ecx
    add esi, ebp
    mov ebp, r15d
    and ebp, r13d
    mov r11d, r15d
    xor r11d, r13d
    add r9d, r10d
    mov dword ptr [rsp + 136], r9d
    rorx r10d, r8d, 17
    rorx r14d, r8d, 19
    xor eax, edx
    rorx edx, r12d, 2
    rorx r9d, r12d, 13
    add ebx, esi
    and r11d, r12d
    sub ebp, dword ptr [rsp + 324]
    rorx esi, dword ptr [rsp + 80], 7
    rorx r8d, dword ptr [rsp + 80], 18
    mov dword ptr [rsp + 332], r15d
    mov r15d, dword ptr [rsp + 132]
    shr r15d, 10
    xor r10d, r14d
    rorx r14d, r12d, 22
    xor edx, r9d
    add eax, ebx
    add r11d, ebp
    mov ebx, dword ptr [rsp + 136]
    mov ebp, dword ptr [rsp + 328]
    lea ebp, [rbx + rbp + 770255983]
    mov r9d, dword ptr [rsp + 80]
    shr r9d, 3
    xor esi, r8d
    xor r15d, r10d
    mov r8d, dword ptr [rsp + 76]
    add r8d, dword ptr [rsp + 112]
    xor r14d, edx
    add r11d, eax
    rorx edx, eax, 6
    rorx r10d, eax, 11
    andn ebx, eax, ecx
    add ebp, r13d
    xor r9d, esi
    add r15d, r8d
    add r14d, r11d
    rorx r8d, eax, 25
    xor edx, r10d
    mov r10d, eax
    and r10d, edi
    add ebx, ebp
    mov ebp, dword ptr [rsp + 332]
    and ebp, r12d
    mov r11d, dword ptr [rsp + 332]
    xor r11d, r12d
    add r9d, r15d
    mov dword ptr [rsp + 140], r9d
    rorx r15d, dword ptr [rsp + 136], 17
    rorx esi, dword ptr [rsp + 136], 19
    xor r8d, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, ebx
    and r11d, r14d
    sub ebp, r13d
    rorx ebx, dword ptr [rsp + 84], 7
    rorx r13d, dword ptr [rsp + 84], 18
    mov dword ptr [rsp + 336], r12d
    mov r12d, dword ptr [rsp + 136]
    shr r12d, 10
    xor r15d, esi
    rorx esi, r14d, 22
    xor edx, r9d
    add r8d, r10d
    add r11d, ebp
    mov ebp, dword ptr [rsp + 140]
    lea ecx, [rbp + rcx + 1249150122]
    mov r9d, dword ptr [rsp + 84]
    shr r9d, 3
    xor ebx, r13d
    xor r12d, r15d
    mov r10d, dword ptr [rsp + 80]
    add r10d, dword ptr [rsp + 116]
    xor esi, edx
    add r11d, r8d
    rorx edx, r8d, 6
    rorx r13d, r8d, 11
    andn r15d, r8d, edi
    add ecx, dword ptr [rsp + 332]
    xor r9d, ebx
    add r12d, r10d
    add esi, r11d
    rorx ebx, r8d, 25
    xor edx, r13d
    mov r10d, r8d
    and r10d, eax
    add r15d, ecx
    mov ecx, dword ptr [rsp + 336]
    and ecx, r14d
    mov r11d, dword ptr [rsp + 336]
    xor r11d, r14d
    add r9d, r12d
    mov dword ptr [rsp + 144], r9d
    rorx r12d, ebp, 17
    rorx r13d, ebp, 19
    xor ebx, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r15d
    and r11d, esi
    sub ecx, dword ptr [rsp + 332]
    rorx r15d, dword ptr [rsp + 88], 7
    rorx ebp, dword ptr [rsp + 88], 18
    mov dword ptr [rsp + 340], r14d
    mov r14d, dword ptr [rsp + 140]
    shr r14d, 10
    xor r12d, r13d
    rorx r13d, esi, 22
    xor edx, r9d
    add ebx, r10d
    add r11d, ecx
    mov ecx, dword ptr [rsp + 144]
    lea edi, [rcx + rdi + 1555081692]
    mov r9d, dword ptr [rsp + 88]
    shr r9d, 3
    xor r15d, ebp
    xor r14d, r12d
    mov ebp, dword ptr [rsp + 84]
    add ebp, dword ptr [rsp + 120]
    xor r13d, edx
    add r11d, ebx
    rorx edx, ebx, 6
    rorx r10d, ebx, 11
    andn r12d, ebx, eax
    add edi, dword ptr [rsp + 336]
    xor r9d, r15d
    add r14d, ebp
    add r13d, r11d
    rorx ebp, ebx, 25
    xor edx, r10d
    mov r10d, ebx
    and r10d, r8d
    add r12d, edi
    mov edi, dword ptr [rsp + 340]
    and edi, esi
    mov r11d, dword ptr [rsp + 340]
    xor r11d, esi
    add r9d, r14d
    mov dword ptr [rsp + 148], r9d
    rorx r14d, ecx, 17
    rorx r15d, ecx, 19
    xor ebp, edx
    rorx edx, r13d, 2
    rorx r9d, r13d, 13
    add r10d, r12d
    and r11d, r13d
    sub edi, dword ptr [rsp + 336]
    rorx r12d, dword ptr [rsp + 92], 7
    rorx ecx, dword ptr [rsp + 92], 18
    mov dword ptr [rsp + 344], esi
    mov esi, dword ptr [rsp + 144]
    shr esi, 10
    xor r14d, r15d
    rorx r15d, r13d, 22
    xor edx, r9d
    add ebp, r10d
    add r11d, edi
    mov edi, dword ptr [rsp + 148]
    lea eax, [rdi + rax + 1996064986]
    mov r9d, dword ptr [rsp + 92]
    shr r9d, 3
    xor r12d, ecx
    xor esi, r14d
    mov ecx, dword ptr [rsp + 88]
    add ecx, dword ptr [rsp + 124]
    xor r15d, edx
    add r11d, ebp
    rorx edx, ebp, 6
    rorx r10d, ebp, 11
    andn r14d, ebp, r8d
    add eax, dword ptr [rsp + 340]
    xor r9d, r12d
    add esi, ecx
    add r15d, r11d
    rorx ecx, ebp, 25
    xor edx, r10d
    mov r10d, ebp
    and r10d, ebx
    add r14d, eax
    mov eax, dword ptr [rsp + 344]
    and eax, r13d
    mov r11d, dword ptr [rsp + 344]
    xor r11d, r13d
    add r9d, esi
    mov dword ptr [rsp + 152], r9d
    rorx r12d, edi, 17
    rorx esi, edi, 19
    xor ecx, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r14d
    and r11d, r15d
    sub eax, dword ptr [rsp + 340]
    rorx r14d, dword ptr [rsp + 96], 7
    rorx edi, dword ptr [rsp + 96], 18
    mov dword ptr [rsp + 348], r13d
    mov r13d, dword ptr [rsp + 148]
    shr r13d, 10
    xor r12d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add ecx, r10d
    add r11d, eax
    mov eax, dword ptr [rsp + 152]
    lea r8d, [rax + r8 - 1740746414]
    mov r9d, dword ptr [rsp + 96]
    shr r9d, 3
    xor r14d, edi
    xor r13d, r12d
    mov edi, dword ptr [rsp + 92]
    add edi, dword ptr [rsp + 128]
    xor esi, edx
    add r11d, ecx
    rorx edx, ecx, 6
    rorx r10d, ecx, 11
    andn r12d, ecx, ebx
    add r8d, dword ptr [rsp + 344]
    xor r9d, r14d
    add r13d, edi
    add esi, r11d
    rorx edi, ecx, 25
    xor edx, r10d
    mov r10d, ecx
    and r10d, ebp
    add r12d, r8d
    mov r8d, dword ptr [rsp + 348]
    and r8d, r15d
    mov r11d, dword ptr [rsp + 348]
    xor r11d, r15d
    add r9d, r13d
    mov dword ptr [rsp + 156], r9d
    rorx r13d, eax, 17
    rorx r14d, eax, 19
    xor edi, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r12d
    and r11d, esi
    sub r8d, dword ptr [rsp + 344]
    rorx r12d, dword ptr [rsp + 100], 7
    rorx eax, dword ptr [rsp + 100], 18
    mov dword ptr [rsp + 352], r15d
    mov r15d, dword ptr [rsp + 152]
    shr r15d, 10
    xor r13d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add edi, r10d
    add r11d, r8d
    mov r8d, dword ptr [rsp + 156]
    lea ebx, [r8 + rbx - 1473132947]
    mov r9d, dword ptr [rsp + 100]
    shr r9d, 3
    xor r12d, eax
    xor r15d, r13d
    mov eax, dword ptr [rsp + 96]
    add eax, dword ptr [rsp + 132]
    xor r14d, edx
    add r11d, edi
    rorx edx, edi, 6
    rorx r10d, edi, 11
    andn r13d, edi, ebp
    add ebx, dword ptr [rsp + 348]
    xor r9d, r12d
    add r15d, eax
    add r14d, r11d
    rorx eax, edi, 25
    xor edx, r10d
    mov r10d, edi
    and r10d, ecx
    add r13d, ebx
    mov ebx, dword ptr [rsp + 352]
    and ebx, esi
    mov r11d, dword ptr [rsp + 352]
    xor r11d, esi
    add r9d, r15d
    mov dword ptr [rsp + 160], r9d
    rorx r12d, r8d, 17
    rorx r15d, r8d, 19
    xor eax, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, r13d
    and r11d, r14d
    sub ebx, dword ptr [rsp + 348]
    rorx r13d, dword ptr [rsp + 104], 7
    rorx r8d, dword ptr [rsp + 104], 18
    mov dword ptr [rsp + 356], esi
    mov esi, dword ptr [rsp + 156]
    shr esi, 10
    xor r12d, r15d
    rorx r15d, r14d, 22
    xor edx, r9d
    add eax, r10d
    add r11d, ebx
    mov ebx, dword ptr [rsp + 160]
    lea ebp, [rbx + rbp - 1341970488]
    mov r9d, dword ptr [rsp + 104]
    shr r9d, 3
    xor r13d, r8d
    xor esi, r12d
    mov r8d, dword ptr [rsp + 100]
    add r8d, dword ptr [rsp + 136]
    xor r15d, edx
    add r11d, eax
    rorx edx, eax, 6
    rorx r10d, eax, 11
    andn r12d, eax, ecx
    add ebp, dword ptr [rsp + 352]
    xor r9d, r13d
    add esi, r8d
    add r15d, r11d
    rorx r8d, eax, 25
    xor edx, r10d
    mov r10d, eax
    and r10d, edi
    add r12d, ebp
    mov ebp, dword ptr [rsp + 356]
    and ebp, r14d
    mov r11d, dword ptr [rsp + 356]
    xor r11d, r14d
    add r9d, esi
    mov dword ptr [rsp + 164], r9d
    rorx r13d, ebx, 17
    rorx esi, ebx, 19
    xor r8d, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r12d
    and r11d, r15d
    sub ebp, dword ptr [rsp + 352]
    rorx r12d, dword ptr [rsp + 108], 7
    rorx ebx, dword ptr [rsp + 108], 18
    mov dword ptr [rsp + 360], r14d
    mov r14d, dword ptr [rsp + 160]
    shr r14d, 10
    xor r13d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add r8d, r10d
    add r11d, ebp
    mov ebp, dword ptr [rsp + 164]
    lea ecx, [rbp + rcx - 1084653625]
    mov r9d, dword ptr [rsp + 108]
    shr r9d, 3
    xor r12d, ebx
    xor r14d, r13d
    mov ebx, dword ptr [rsp + 104]
    add ebx, dword ptr [rsp + 140]
    xor esi, edx
    add r11d, r8d
    rorx edx, r8d, 6
    rorx r10d, r8d, 11
    andn r13d, r8d, edi
    add ecx, dword ptr [rsp + 356]
    xor r9d, r12d
    add r14d, ebx
    add esi, r11d
    rorx ebx, r8d, 25
    xor edx, r10d
    mov r10d, r8d
    and r10d, eax
    add r13d, ecx
    mov ecx, dword ptr [rsp + 360]
    and ecx, r15d
    mov r11d, dword ptr [rsp + 360]
    xor r11d, r15d
    add r9d, r14d
    mov dword ptr [rsp + 168], r9d
    rorx r12d, ebp, 17
    rorx r14d, ebp, 19
    xor ebx, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r13d
    and r11d, esi
    sub ecx, dword ptr [rsp + 356]
    rorx r13d, dword ptr [rsp + 112], 7
    rorx ebp, dword ptr [rsp + 112], 18
    mov dword ptr [rsp + 364], r15d
    mov r15d, dword ptr [rsp + 164]
    shr r15d, 10
    xor r12d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add ebx, r10d
    add r11d, ecx
    mov ecx, dword ptr [rsp + 168]
    lea edi, [rcx + rdi - 958395405]
    mov r9d, dword ptr [rsp + 112]
    shr r9d, 3
    xor r13d, ebp
    xor r15d, r12d
    mov ebp, dword ptr [rsp + 108]
    add ebp, dword ptr [rsp + 144]
    xor r14d, edx
    add r11d, ebx
    rorx edx, ebx, 6
    rorx r10d, ebx, 11
    andn r12d, ebx, eax
    add edi, dword ptr [rsp + 360]
    xor r9d, r13d
    add r15d, ebp
    add r14d, r11d
    rorx ebp, ebx, 25
    xor edx, r10d
    mov r10d, ebx
    and r10d, r8d
    add r12d, edi
    mov edi, dword ptr [rsp + 364]
    and edi, esi
    mov r11d, dword ptr [rsp + 364]
    xor r11d, esi
    add r9d, r15d
    mov dword ptr [rsp + 172], r9d
    rorx r13d, ecx, 17
    rorx r15d, ecx, 19
    xor ebp, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, r12d
    and r11d, r14d
    sub edi, dword ptr [rsp + 360]
    rorx r12d, dword ptr [rsp + 116], 7
    rorx ecx, dword ptr [rsp + 116], 18
    mov dword ptr [rsp + 368], esi
    mov esi, dword ptr [rsp + 168]
    shr esi, 10
    xor r13d, r15d
    rorx r15d, r14d, 22
    xor edx, r9d
    add ebp, r10d
    add r11d, edi
    mov edi, dword ptr [rsp + 172]
    lea eax, [rdi + rax - 710438585]
    mov r9d, dword ptr [rsp + 116]
    shr r9d, 3
    xor r12d, ecx
    xor esi, r13d
    mov ecx, dword ptr [rsp + 112]
    add ecx, dword ptr [rsp + 148]
    xor r15d, edx
    add r11d, ebp
    rorx edx, ebp, 6
    rorx r10d, ebp, 11
    andn r13d, ebp, r8d
    add eax, dword ptr [rsp + 364]
    xor r9d, r12d
    add esi, ecx
    add r15d, r11d
    rorx ecx, ebp, 25
    xor edx, r10d
    mov r10d, ebp
    and r10d, ebx
    add r13d, eax
    mov eax, dword ptr [rsp + 368]
    and eax, r14d
    mov r11d, dword ptr [rsp + 368]
    xor r11d, r14d
    add r9d, esi
    mov dword ptr [rsp + 176], r9d
    rorx r12d, edi, 17
    rorx esi, edi, 19
    xor ecx, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r13d
    and r11d, r15d
    sub eax, dword ptr [rsp + 364]
    rorx r13d, dword ptr [rsp + 120], 7
    rorx edi, dword ptr [rsp + 120], 18
    mov dword ptr [rsp + 372], r14d
    mov r14d, dword ptr [rsp + 172]
    shr r14d, 10
    xor r12d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add ecx, r10d
    add r11d, eax
    mov eax, dword ptr [rsp + 176]
    lea r8d, [rax + r8 + 113926993]
    mov r9d, dword ptr [rsp + 120]
    shr r9d, 3
    xor r13d, edi
    xor r14d, r12d
    mov edi, dword ptr [rsp + 116]
    add edi, dword ptr [rsp + 152]
    xor esi, edx
    add r11d, ecx
    rorx edx, ecx, 6
    rorx r10d, ecx, 11
    andn r12d, ecx, ebx
    add r8d, dword ptr [rsp + 368]
    xor r9d, r13d
    add r14d, edi
    add esi, r11d
    rorx edi, ecx, 25
    xor edx, r10d
    mov r10d, ecx
    and r10d, ebp
    add r12d, r8d
    mov r8d, dword ptr [rsp + 372]
    and r8d, r15d
    mov r11d, dword ptr [rsp + 372]
    xor r11d, r15d
    add r9d, r14d
    mov dword ptr [rsp + 180], r9d
    rorx r13d, eax, 17
    rorx r14d, eax, 19
    xor edi, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r12d
    and r11d, esi
    sub r8d, dword ptr [rsp + 368]
    rorx r12d, dword ptr [rsp + 124], 7
    rorx eax, dword ptr [rsp + 124], 18
    mov dword ptr [rsp + 376], r15d
    mov r15d, dword ptr [rsp + 176]
    shr r15d, 10
    xor r13d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add edi, r10d
    add r11d, r8d
    mov r8d, dword ptr [rsp + 180]
    lea ebx, [r8 + rbx + 338241895]
    mov r9d, dword ptr [rsp + 124]
    shr r9d, 3
    xor r12d, eax
    xor r15d, r13d
    mov eax, dword ptr [rsp + 120]
    add eax, dword ptr [rsp + 156]
    xor r14d, edx
    add r11d, edi
    rorx edx, edi, 6
    rorx r10d, edi, 11
    andn r13d, edi, ebp
    add ebx, dword ptr [rsp + 372]
    xor r9d, r12d
    add r15d, eax
    add r14d, r11d
    rorx eax, edi, 25
    xor edx, r10d
    mov r10d, edi
    and r10d, ecx
    add r13d, ebx
    mov ebx, dword ptr [rsp + 376]
    and ebx, esi
    mov r11d, dword ptr [rsp + 376]
    xor r11d, esi
    add r9d, r15d
    mov dword ptr [rsp + 184], r9d
    rorx r12d, r8d, 17
    rorx r15d, r8d, 19
    xor eax, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, r13d
    and r11d, r14d
    sub ebx, dword ptr [rsp + 372]
    rorx r13d, dword ptr [rsp + 128], 7
    rorx r8d, dword ptr [rsp + 128], 18
    mov dword ptr [rsp + 380], esi
    mov esi, dword ptr [rsp + 180]
    shr esi, 10
    xor r12d, r15d
    rorx r15d, r14d, 22
    xor edx, r9d
    add eax, r10d
    add r11d, ebx
    mov ebx, dword ptr [rsp + 184]
    lea ebp, [rbx + rbp + 666307205]
    mov r9d, dword ptr [rsp + 128]
    shr r9d, 3
    xor r13d, r8d
    xor esi, r12d
    mov r8d, dword ptr [rsp + 124]
    add r8d, dword ptr [rsp + 160]
    xor r15d, edx
    add r11d, eax
    rorx edx, eax, 6
    rorx r10d, eax, 11
    andn r12d, eax, ecx
    add ebp, dword ptr [rsp + 376]
    xor r9d, r13d
    add esi, r8d
    add r15d, r11d
    rorx r8d, eax, 25
    xor edx, r10d
    mov r10d, eax
    and r10d, edi
    add r12d, ebp
    mov ebp, dword ptr [rsp + 380]
    and ebp, r14d
    mov r11d, dword ptr [rsp + 380]
    xor r11d, r14d
    add r9d, esi
    mov dword ptr [rsp + 188], r9d
    rorx r13d, ebx, 17
    rorx esi, ebx, 19
    xor r8d, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r12d
    and r11d, r15d
    sub ebp, dword ptr [rsp + 376]
    rorx r12d, dword ptr [rsp + 132], 7
    rorx ebx, dword ptr [rsp + 132], 18
    mov dword ptr [rsp + 384], r14d
    mov r14d, dword ptr [rsp + 184]
    shr r14d, 10
    xor r13d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add r8d, r10d
    add r11d, ebp
    mov ebp, dword ptr [rsp + 188]
    lea ecx, [rbp + rcx + 773529912]
    mov r9d, dword ptr [rsp + 132]
    shr r9d, 3
    xor r12d, ebx
    xor r14d, r13d
    mov ebx, dword ptr [rsp + 128]
    add ebx, dword ptr [rsp + 164]
    xor esi, edx
    add r11d, r8d
    rorx edx, r8d, 6
    rorx r10d, r8d, 11
    andn r13d, r8d, edi
    add ecx, dword ptr [rsp + 380]
    xor r9d, r12d
    add r14d, ebx
    add esi, r11d
    rorx ebx, r8d, 25
    xor edx, r10d
    mov r10d, r8d
    and r10d, eax
    add r13d, ecx
    mov ecx, dword ptr [rsp + 384]
    and ecx, r15d
    mov r11d, dword ptr [rsp + 384]
    xor r11d, r15d
    add r9d, r14d
    mov dword ptr [rsp + 192], r9d
    rorx r12d, ebp, 17
    rorx r14d, ebp, 19
    xor ebx, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r13d
    and r11d, esi
    sub ecx, dword ptr [rsp + 380]
    rorx r13d, dword ptr [rsp + 136], 7
    rorx ebp, dword ptr [rsp + 136], 18
    mov dword ptr [rsp + 388], r15d
    mov r15d, dword ptr [rsp + 188]
    shr r15d, 10
    xor r12d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add ebx, r10d
    add r11d, ecx
    mov ecx, dword ptr [rsp + 192]
    lea edi, [rcx + rdi + 1294757372]
    mov r9d, dword ptr [rsp + 136]
    shr r9d, 3
    xor r13d, ebp
    xor r15d, r12d
    mov ebp, dword ptr [rsp + 132]
    add ebp, dword ptr [rsp + 168]
    xor r14d, edx
    add r11d, ebx
    rorx edx, ebx, 6
    rorx r10d, ebx, 11
    andn r12d, ebx, eax
    add edi, dword ptr [rsp + 384]
    xor r9d, r13d
    add r15d, ebp
    add r14d, r11d
    rorx ebp, ebx, 25
    xor edx, r10d
    mov r10d, ebx
    and r10d, r8d
    add r12d, edi
    mov edi, dword ptr [rsp + 388]
    and edi, esi
    mov r11d, dword ptr [rsp + 388]
    xor r11d, esi
    add r9d, r15d
    mov dword ptr [rsp + 196], r9d
    rorx r13d, ecx, 17
    rorx r15d, ecx, 19
    xor ebp, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, r12d
    and r11d, r14d
    sub edi, dword ptr [rsp + 384]
    rorx r12d, dword ptr [rsp + 140], 7
    rorx ecx, dword ptr [rsp + 140], 18
    mov dword ptr [rsp + 392], esi
    mov esi, dword ptr [rsp + 192]
    shr esi, 10
    xor r13d, r15d
    rorx r15d, r14d, 22
    xor edx, r9d
    add ebp, r10d
    add r11d, edi
    mov edi, dword ptr [rsp + 196]
    lea eax, [rdi + rax + 1396182291]
    mov r9d, dword ptr [rsp + 140]
    shr r9d, 3
    xor r12d, ecx
    xor esi, r13d
    mov ecx, dword ptr [rsp + 136]
    add ecx, dword ptr [rsp + 172]
    xor r15d, edx
    add r11d, ebp
    rorx edx, ebp, 6
    rorx r10d, ebp, 11
    andn r13d, ebp, r8d
    add eax, dword ptr [rsp + 388]
    xor r9d, r12d
    add esi, ecx
    add r15d, r11d
    rorx ecx, ebp, 25
    xor edx, r10d
    mov r10d, ebp
    and r10d, ebx
    add r13d, eax
    mov eax, dword ptr [rsp + 392]
    and eax, r14d
    mov r11d, dword ptr [rsp + 392]
    xor r11d, r14d
    add r9d, esi
    mov dword ptr [rsp + 200], r9d
    rorx r12d, edi, 17
    rorx esi, edi, 19
    xor ecx, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r13d
    and r11d, r15d
    sub eax, dword ptr [rsp + 388]
    rorx r13d, dword ptr [rsp + 144], 7
    rorx edi, dword ptr [rsp + 144], 18
    mov dword ptr [rsp + 396], r14d
    mov r14d, dword ptr [rsp + 196]
    shr r14d, 10
    xor r12d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add ecx, r10d
    add r11d, eax
    mov eax, dword ptr [rsp + 200]
    lea r8d, [rax + r8 + 1695183700]
    mov r9d, dword ptr [rsp + 144]
    shr r9d, 3
    xor r13d, edi
    xor r14d, r12d
    mov edi, dword ptr [rsp + 140]
    add edi, dword ptr [rsp + 176]
    xor esi, edx
    add r11d, ecx
    rorx edx, ecx, 6
    rorx r10d, ecx, 11
    andn r12d, ecx, ebx
    add r8d, dword ptr [rsp + 392]
    xor r9d, r13d
    add r14d, edi
    add esi, r11d
    rorx edi, ecx, 25
    xor edx, r10d
    mov r10d, ecx
    and r10d, ebp
    add r12d, r8d
    mov r8d, dword ptr [rsp + 396]
    and r8d, r15d
    mov r11d, dword ptr [rsp + 396]
    xor r11d, r15d
    add r9d, r14d
    mov dword ptr [rsp + 204], r9d
    rorx r13d, eax, 17
    rorx r14d, eax, 19
    xor edi, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r12d
    and r11d, esi
    sub r8d, dword ptr [rsp + 392]
    rorx r12d, dword ptr [rsp + 148], 7
    rorx eax, dword ptr [rsp + 148], 18
    mov dword ptr [rsp + 400], r15d
    mov r15d, dword ptr [rsp + 200]
    shr r15d, 10
    xor r13d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add edi, r10d
    add r11d, r8d
    mov r8d, dword ptr [rsp + 204]
    lea ebx, [r8 + rbx + 1986661051]
    mov r9d, dword ptr [rsp + 148]
    shr r9d, 3
    xor r12d, eax
    xor r15d, r13d
    mov eax, dword ptr [rsp + 144]
    add eax, dword ptr [rsp + 180]
    xor r14d, edx
    add r11d, edi
    rorx edx, edi, 6
    rorx r10d, edi, 11
    andn r13d, edi, ebp
    add ebx, dword ptr [rsp + 396]
    xor r9d, r12d
    add r15d, eax
    add r14d, r11d
    rorx eax, edi, 25
    xor edx, r10d
    mov r10d, edi
    and r10d, ecx
    add r13d, ebx
    mov ebx, dword ptr [rsp + 400]
    and ebx, esi
    mov r11d, dword ptr [rsp + 400]
    xor r11d, esi
    add r9d, r15d
    mov dword ptr [rsp + 208], r9d
    rorx r12d, r8d, 17
    rorx r15d, r8d, 19
    xor eax, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, r13d
    and r11d, r14d
    sub ebx, dword ptr [rsp + 396]
    rorx r13d, dword ptr [rsp + 152], 7
    rorx r8d, dword ptr [rsp + 152], 18
    mov dword ptr [rsp + 404], esi
    mov esi, dword ptr [rsp + 204]
    shr esi, 10
    xor r12d, r15d
    rorx r15d, r14d, 22
    xor edx, r9d
    add eax, r10d
    add r11d, ebx
    mov ebx, dword ptr [rsp + 208]
    lea ebp, [rbx + rbp - 2117940946]
    mov r9d, dword ptr [rsp + 152]
    shr r9d, 3
    xor r13d, r8d
    xor esi, r12d
    mov r8d, dword ptr [rsp + 148]
    add r8d, dword ptr [rsp + 184]
    xor r15d, edx
    add r11d, eax
    rorx edx, eax, 6
    rorx r10d, eax, 11
    andn r12d, eax, ecx
    add ebp, dword ptr [rsp + 400]
    xor r9d, r13d
    add esi, r8d
    add r15d, r11d
    rorx r8d, eax, 25
    xor edx, r10d
    mov r10d, eax
    and r10d, edi
    add r12d, ebp
    mov ebp, dword ptr [rsp + 404]
    and ebp, r14d
    mov r11d, dword ptr [rsp + 404]
    xor r11d, r14d
    add r9d, esi
    mov dword ptr [rsp + 212], r9d
    rorx r13d, ebx, 17
    rorx esi, ebx, 19
    xor r8d, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r12d
    and r11d, r15d
    sub ebp, dword ptr [rsp + 400]
    rorx r12d, dword ptr [rsp + 156], 7
    rorx ebx, dword ptr [rsp + 156], 18
    mov dword ptr [rsp + 408], r14d
    mov r14d, dword ptr [rsp + 208]
    shr r14d, 10
    xor r13d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add r8d, r10d
    add r11d, ebp
    mov ebp, dword ptr [rsp + 212]
    lea ecx, [rbp + rcx - 1838011259]
    mov r9d, dword ptr [rsp + 156]
    shr r9d, 3
    xor r12d, ebx
    xor r14d, r13d
    mov ebx, dword ptr [rsp + 152]
    add ebx, dword ptr [rsp + 188]
    xor esi, edx
    add r11d, r8d
    rorx edx, r8d, 6
    rorx r10d, r8d, 11
    andn r13d, r8d, edi
    add ecx, dword ptr [rsp + 404]
    xor r9d, r12d
    add r14d, ebx
    add esi, r11d
    rorx ebx, r8d, 25
    xor edx, r10d
    mov r10d, r8d
    and r10d, eax
    add r13d, ecx
    mov ecx, dword ptr [rsp + 408]
    and ecx, r15d
    mov r11d, dword ptr [rsp + 408]
    xor r11d, r15d
    add r9d, r14d
    mov dword ptr [rsp + 216], r9d
    rorx r12d, ebp, 17
    rorx r14d, ebp, 19
    xor ebx, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r13d
    and r11d, esi
    sub ecx, dword ptr [rsp + 404]
    rorx r13d, dword ptr [rsp + 160], 7
    rorx ebp, dword ptr [rsp + 160], 18
    mov dword ptr [rsp + 412], r15d
    mov r15d, dword ptr [rsp + 212]
    shr r15d, 10
    xor r12d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add ebx, r10d
    add r11d, ecx
    mov ecx, dword ptr [rsp + 216]
    lea edi, [rcx + rdi - 1564481375]
    mov r9d, dword ptr [rsp + 160]
    shr r9d, 3
    xor r13d, ebp
    xor r15d, r12d
    mov ebp, dword ptr [rsp + 156]
    add ebp, dword ptr [rsp + 192]
    xor r14d, edx
    add r11d, ebx
    rorx edx, ebx, 6
    rorx r10d, ebx, 11
    andn r12d, ebx, eax
    add edi, dword ptr [rsp + 408]
    xor r9d, r13d
    add r15d, ebp
    add r14d, r11d
    rorx ebp, ebx, 25
    xor edx, r10d
    mov r10d, ebx
    and r10d, r8d
    add r12d, edi
    mov edi, dword ptr [rsp + 412]
    and edi, esi
    mov r11d, dword ptr [rsp + 412]
    xor r11d, esi
    add r9d, r15d
    mov dword ptr [rsp + 220], r9d
    rorx r13d, ecx, 17
    rorx r15d, ecx, 19
    xor ebp, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, r12d
    and r11d, r14d
    sub edi, dword ptr [rsp + 408]
    rorx r12d, dword ptr [rsp + 164], 7
    rorx ecx, dword ptr [rsp + 164], 18
    mov dword ptr [rsp + 416], esi
    mov esi, dword ptr [rsp + 216]
    shr esi, 10
    xor r13d, r15d
    rorx r15d, r14d, 22
    xor edx, r9d
    add ebp, r10d
    add r11d, edi
    mov edi, dword ptr [rsp + 220]
    lea eax, [rdi + rax - 1474664885]
    mov r9d, dword ptr [rsp + 164]
    shr r9d, 3
    xor r12d, ecx
    xor esi, r13d
    mov ecx, dword ptr [rsp + 160]
    add ecx, dword ptr [rsp + 196]
    xor r15d, edx
    add r11d, ebp
    rorx edx, ebp, 6
    rorx r10d, ebp, 11
    andn r13d, ebp, r8d
    add eax, dword ptr [rsp + 412]
    xor r9d, r12d
    add esi, ecx
    add r15d, r11d
    rorx ecx, ebp, 25
    xor edx, r10d
    mov r10d, ebp
    and r10d, ebx
    add r13d, eax
    mov eax, dword ptr [rsp + 416]
    and eax, r14d
    mov r11d, dword ptr [rsp + 416]
    xor r11d, r14d
    add r9d, esi
    mov dword ptr [rsp + 224], r9d
    rorx r12d, edi, 17
    rorx esi, edi, 19
    xor ecx, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r13d
    and r11d, r15d
    sub eax, dword ptr [rsp + 412]
    rorx r13d, dword ptr [rsp + 168], 7
    rorx edi, dword ptr [rsp + 168], 18
    mov dword ptr [rsp + 420], r14d
    mov r14d, dword ptr [rsp + 220]
    shr r14d, 10
    xor r12d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add ecx, r10d
    add r11d, eax
    mov eax, dword ptr [rsp + 224]
    lea r8d, [rax + r8 - 1035236496]
    mov r9d, dword ptr [rsp + 168]
    shr r9d, 3
    xor r13d, edi
    xor r14d, r12d
    mov edi, dword ptr [rsp + 164]
    add edi, dword ptr [rsp + 200]
    xor esi, edx
    add r11d, ecx
    rorx edx, ecx, 6
    rorx r10d, ecx, 11
    andn r12d, ecx, ebx
    add r8d, dword ptr [rsp + 416]
    xor r9d, r13d
    add r14d, edi
    add esi, r11d
    rorx edi, ecx, 25
    xor edx, r10d
    mov r10d, ecx
    and r10d, ebp
    add r12d, r8d
    mov r8d, dword ptr [rsp + 420]
    and r8d, r15d
    mov r11d, dword ptr [rsp + 420]
    xor r11d, r15d
    add r9d, r14d
    mov dword ptr [rsp + 228], r9d
    rorx r13d, eax, 17
    rorx r14d, eax, 19
    xor edi, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r12d
    and r11d, esi
    sub r8d, dword ptr [rsp + 416]
    rorx r12d, dword ptr [rsp + 172], 7
    rorx eax, dword ptr [rsp + 172], 18
    mov dword ptr [rsp + 424], r15d
    mov r15d, dword ptr [rsp + 224]
    shr r15d, 10
    xor r13d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add edi, r10d
    add r11d, r8d
    mov r8d, dword ptr [rsp + 228]
    lea ebx, [r8 + rbx - 949202525]
    mov r9d, dword ptr [rsp + 172]
    shr r9d, 3
    xor r12d, eax
    xor r15d, r13d
    mov eax, dword ptr [rsp + 168]
    add eax, dword ptr [rsp + 204]
    xor r14d, edx
    add r11d, edi
    rorx edx, edi, 6
    rorx r10d, edi, 11
    andn r13d, edi, ebp
    add ebx, dword ptr [rsp + 420]
    xor r9d, r12d
    add r15d, eax
    add r14d, r11d
    rorx eax, edi, 25
    xor edx, r10d
    mov r10d, edi
    and r10d, ecx
    add r13d, ebx
    mov ebx, dword ptr [rsp + 424]
    and ebx, esi
    mov r11d, dword ptr [rsp + 424]
    xor r11d, esi
    add r9d, r15d
    mov dword ptr [rsp + 232], r9d
    rorx r12d, r8d, 17
    rorx r15d, r8d, 19
    xor eax, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, r13d
    and r11d, r14d
    sub ebx, dword ptr [rsp + 420]
    rorx r13d, dword ptr [rsp + 176], 7
    rorx r8d, dword ptr [rsp + 176], 18
    mov dword ptr [rsp + 428], esi
    mov esi, dword ptr [rsp + 228]
    shr esi, 10
    xor r12d, r15d
    rorx r15d, r14d, 22
    xor edx, r9d
    add eax, r10d
    add r11d, ebx
    mov ebx, dword ptr [rsp + 232]
    lea ebp, [rbx + rbp - 778901479]
    mov r9d, dword ptr [rsp + 176]
    shr r9d, 3
    xor r13d, r8d
    xor esi, r12d
    mov r8d, dword ptr [rsp + 172]
    add r8d, dword ptr [rsp + 208]
    xor r15d, edx
    add r11d, eax
    rorx edx, eax, 6
    rorx r10d, eax, 11
    andn r12d, eax, ecx
    add ebp, dword ptr [rsp + 424]
    xor r9d, r13d
    add esi, r8d
    add r15d, r11d
    rorx r8d, eax, 25
    xor edx, r10d
    mov r10d, eax
    and r10d, edi
    add r12d, ebp
    mov ebp, dword ptr [rsp + 428]
    and ebp, r14d
    mov r11d, dword ptr [rsp + 428]
    xor r11d, r14d
    add r9d, esi
    mov dword ptr [rsp + 236], r9d
    rorx r13d, ebx, 17
    rorx esi, ebx, 19
    xor r8d, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r12d
    and r11d, r15d
    sub ebp, dword ptr [rsp + 424]
    rorx r12d, dword ptr [rsp + 180], 7
    rorx ebx, dword ptr [rsp + 180], 18
    mov dword ptr [rsp + 432], r14d
    mov r14d, dword ptr [rsp + 232]
    shr r14d, 10
    xor r13d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add r8d, r10d
    add r11d, ebp
    mov ebp, dword ptr [rsp + 236]
    lea ecx, [rbp + rcx - 694614492]
    mov r9d, dword ptr [rsp + 180]
    shr r9d, 3
    xor r12d, ebx
    xor r14d, r13d
    mov ebx, dword ptr [rsp + 176]
    add ebx, dword ptr [rsp + 212]
    xor esi, edx
    add r11d, r8d
    rorx edx, r8d, 6
    rorx r10d, r8d, 11
    andn r13d, r8d, edi
    add ecx, dword ptr [rsp + 428]
    xor r9d, r12d
    add r14d, ebx
    add esi, r11d
    rorx ebx, r8d, 25
    xor edx, r10d
    mov r10d, r8d
    and r10d, eax
    add r13d, ecx
    mov ecx, dword ptr [rsp + 432]
    and ecx, r15d
    mov r11d, dword ptr [rsp + 432]
    xor r11d, r15d
    add r9d, r14d
    mov dword ptr [rsp + 240], r9d
    rorx r12d, ebp, 17
    rorx r14d, ebp, 19
    xor ebx, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r13d
    and r11d, esi
    sub ecx, dword ptr [rsp + 428]
    rorx r13d, dword ptr [rsp + 184], 7
    rorx ebp, dword ptr [rsp + 184], 18
    mov dword ptr [rsp + 436], r15d
    mov r15d, dword ptr [rsp + 236]
    shr r15d, 10
    xor r12d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add ebx, r10d
    add r11d, ecx
    mov ecx, dword ptr [rsp + 240]
    lea edi, [rcx + rdi - 200395387]
    mov r9d, dword ptr [rsp + 184]
    shr r9d, 3
    xor r13d, ebp
    xor r15d, r12d
    mov ebp, dword ptr [rsp + 180]
    add ebp, dword ptr [rsp + 216]
    xor r14d, edx
    add r11d, ebx
    rorx edx, ebx, 6
    rorx r10d, ebx, 11
    andn r12d, ebx, eax
    add edi, dword ptr [rsp + 432]
    xor r9d, r13d
    add r15d, ebp
    add r14d, r11d
    rorx ebp, ebx, 25
    xor edx, r10d
    mov r10d, ebx
    and r10d, r8d
    add r12d, edi
    mov edi, dword ptr [rsp + 436]
    and edi, esi
    mov r11d, dword ptr [rsp + 436]
    xor r11d, esi
    add r9d, r15d
    mov dword ptr [rsp + 244], r9d
    rorx r13d, ecx, 17
    rorx r15d, ecx, 19
    xor ebp, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, r12d
    and r11d, r14d
    sub edi, dword ptr [rsp + 432]
    rorx r12d, dword ptr [rsp + 188], 7
    rorx ecx, dword ptr [rsp + 188], 18
    mov dword ptr [rsp + 440], esi
    mov esi, dword ptr [rsp + 240]
    shr esi, 10
    xor r13d, r15d
    rorx r15d, r14d, 22
    xor edx, r9d
    add ebp, r10d
    add r11d, edi
    mov edi, dword ptr [rsp + 244]
    lea eax, [rdi + rax + 275423344]
    mov r9d, dword ptr [rsp + 188]
    shr r9d, 3
    xor r12d, ecx
    xor esi, r13d
    mov ecx, dword ptr [rsp + 184]
    add ecx, dword ptr [rsp + 220]
    xor r15d, edx
    add r11d, ebp
    rorx edx, ebp, 6
    rorx r10d, ebp, 11
    andn r13d, ebp, r8d
    add eax, dword ptr [rsp + 436]
    xor r9d, r12d
    add esi, ecx
    add r15d, r11d
    rorx ecx, ebp, 25
    xor edx, r10d
    mov r10d, ebp
    and r10d, ebx
    add r13d, eax
    mov eax, dword ptr [rsp + 440]
    and eax, r14d
    mov r11d, dword ptr [rsp + 440]
    xor r11d, r14d
    add r9d, esi
    mov dword ptr [rsp + 248], r9d
    rorx r12d, edi, 17
    rorx esi, edi, 19
    xor ecx, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r13d
    and r11d, r15d
    sub eax, dword ptr [rsp + 436]
    rorx r13d, dword ptr [rsp + 192], 7
    rorx edi, dword ptr [rsp + 192], 18
    mov dword ptr [rsp + 444], r14d
    mov r14d, dword ptr [rsp + 244]
    shr r14d, 10
    xor r12d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add ecx, r10d
    add r11d, eax
    mov eax, dword ptr [rsp + 248]
    lea r8d, [rax + r8 + 430227734]
    mov r9d, dword ptr [rsp + 192]
    shr r9d, 3
    xor r13d, edi
    xor r14d, r12d
    mov edi, dword ptr [rsp + 188]
    add edi, dword ptr [rsp + 224]
    xor esi, edx
    add r11d, ecx
    rorx edx, ecx, 6
    rorx r10d, ecx, 11
    andn r12d, ecx, ebx
    add r8d, dword ptr [rsp + 440]
    xor r9d, r13d
    add r14d, edi
    add esi, r11d
    rorx edi, ecx, 25
    xor edx, r10d
    mov r10d, ecx
    and r10d, ebp
    add r12d, r8d
    mov r8d, dword ptr [rsp + 444]
    and r8d, r15d
    mov r11d, dword ptr [rsp + 444]
    xor r11d, r15d
    add r9d, r14d
    mov dword ptr [rsp + 252], r9d
    rorx r13d, eax, 17
    rorx r14d, eax, 19
    xor edi, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r12d
    and r11d, esi
    sub r8d, dword ptr [rsp + 440]
    rorx r12d, dword ptr [rsp + 196], 7
    rorx eax, dword ptr [rsp + 196], 18
    mov dword ptr [rsp + 448], r15d
    mov r15d, dword ptr [rsp + 248]
    shr r15d, 10
    xor r13d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add edi, r10d
    add r11d, r8d
    mov r8d, dword ptr [rsp + 252]
    lea ebx, [r8 + rbx + 506948616]
    mov r9d, dword ptr [rsp + 196]
    shr r9d, 3
    xor r12d, eax
    xor r15d, r13d
    mov eax, dword ptr [rsp + 192]
    add eax, dword ptr [rsp + 228]
    xor r14d, edx
    add r11d, edi
    rorx edx, edi, 6
    rorx r10d, edi, 11
    andn r13d, edi, ebp
    add ebx, dword ptr [rsp + 444]
    xor r9d, r12d
    add r15d, eax
    add r14d, r11d
    rorx eax, edi, 25
    xor edx, r10d
    mov r10d, edi
    and r10d, ecx
    add r13d, ebx
    mov ebx, dword ptr [rsp + 448]
    and ebx, esi
    mov r11d, dword ptr [rsp + 448]
    xor r11d, esi
    add r9d, r15d
    mov dword ptr [rsp + 256], r9d
    rorx r12d, r8d, 17
    rorx r15d, r8d, 19
    xor eax, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, r13d
    and r11d, r14d
    sub ebx, dword ptr [rsp + 444]
    rorx r13d, dword ptr [rsp + 200], 7
    rorx r8d, dword ptr [rsp + 200], 18
    mov dword ptr [rsp + 452], esi
    mov esi, dword ptr [rsp + 252]
    shr esi, 10
    xor r12d, r15d
    rorx r15d, r14d, 22
    xor edx, r9d
    add eax, r10d
    add r11d, ebx
    mov ebx, dword ptr [rsp + 256]
    lea ebp, [rbx + rbp + 659060556]
    mov r9d, dword ptr [rsp + 200]
    shr r9d, 3
    xor r13d, r8d
    xor esi, r12d
    mov r8d, dword ptr [rsp + 196]
    add r8d, dword ptr [rsp + 232]
    xor r15d, edx
    add r11d, eax
    rorx edx, eax, 6
    rorx r10d, eax, 11
    andn r12d, eax, ecx
    add ebp, dword ptr [rsp + 448]
    xor r9d, r13d
    add esi, r8d
    add r15d, r11d
    rorx r8d, eax, 25
    xor edx, r10d
    mov r10d, eax
    and r10d, edi
    add r12d, ebp
    mov ebp, dword ptr [rsp + 452]
    and ebp, r14d
    mov r11d, dword ptr [rsp + 452]
    xor r11d, r14d
    add r9d, esi
    mov dword ptr [rsp + 260], r9d
    rorx r13d, ebx, 17
    rorx esi, ebx, 19
    xor r8d, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r12d
    and r11d, r15d
    sub ebp, dword ptr [rsp + 448]
    rorx r12d, dword ptr [rsp + 204], 7
    rorx ebx, dword ptr [rsp + 204], 18
    mov dword ptr [rsp + 456], r14d
    mov r14d, dword ptr [rsp + 256]
    shr r14d, 10
    xor r13d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add r8d, r10d
    add r11d, ebp
    mov ebp, dword ptr [rsp + 260]
    lea ecx, [rbp + rcx + 883997877]
    mov r9d, dword ptr [rsp + 204]
    shr r9d, 3
    xor r12d, ebx
    xor r14d, r13d
    mov ebx, dword ptr [rsp + 200]
    add ebx, dword ptr [rsp + 236]
    xor esi, edx
    add r11d, r8d
    rorx edx, r8d, 6
    rorx r10d, r8d, 11
    andn r13d, r8d, edi
    add ecx, dword ptr [rsp + 452]
    xor r9d, r12d
    add r14d, ebx
    add esi, r11d
    rorx ebx, r8d, 25
    xor edx, r10d
    mov r10d, r8d
    and r10d, eax
    add r13d, ecx
    mov ecx, dword ptr [rsp + 456]
    and ecx, r15d
    mov r11d, dword ptr [rsp + 456]
    xor r11d, r15d
    add r9d, r14d
    mov dword ptr [rsp + 264], r9d
    rorx r12d, ebp, 17
    rorx r14d, ebp, 19
    xor ebx, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r13d
    and r11d, esi
    sub ecx, dword ptr [rsp + 452]
    rorx r13d, dword ptr [rsp + 208], 7
    rorx ebp, dword ptr [rsp + 208], 18
    mov dword ptr [rsp + 460], r15d
    mov r15d, dword ptr [rsp + 260]
    shr r15d, 10
    xor r12d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add ebx, r10d
    add r11d, ecx
    mov ecx, dword ptr [rsp + 264]
    lea edi, [rcx + rdi + 958139571]
    mov r9d, dword ptr [rsp + 208]
    shr r9d, 3
    xor r13d, ebp
    xor r15d, r12d
    mov ebp, dword ptr [rsp + 204]
    add ebp, dword ptr [rsp + 240]
    xor r14d, edx
    add r11d, ebx
    rorx edx, ebx, 6
    rorx r10d, ebx, 11
    andn r12d, ebx, eax
    add edi, dword ptr [rsp + 456]
    xor r9d, r13d
    add r15d, ebp
    add r14d, r11d
    rorx ebp, ebx, 25
    xor edx, r10d
    mov r10d, ebx
    and r10d, r8d
    add r12d, edi
    mov edi, dword ptr [rsp + 460]
    and edi, esi
    mov r11d, dword ptr [rsp + 460]
    xor r11d, esi
    add r9d, r15d
    mov dword ptr [rsp + 268], r9d
    rorx r13d, ecx, 17
    rorx r15d, ecx, 19
    xor ebp, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, r12d
    and r11d, r14d
    sub edi, dword ptr [rsp + 456]
    rorx r12d, dword ptr [rsp + 212], 7
    rorx ecx, dword ptr [rsp + 212], 18
    mov dword ptr [rsp + 464], esi
    mov esi, dword ptr [rsp + 264]
    shr esi, 10
    xor r13d, r15d
    rorx r15d, r14d, 22
    xor edx, r9d
    add ebp, r10d
    add r11d, edi
    mov edi, dword ptr [rsp + 268]
    lea eax, [rdi + rax + 1322822218]
    mov r9d, dword ptr [rsp + 212]
    shr r9d, 3
    xor r12d, ecx
    xor esi, r13d
    mov ecx, dword ptr [rsp + 208]
    add ecx, dword ptr [rsp + 244]
    xor r15d, edx
    add r11d, ebp
    rorx edx, ebp, 6
    rorx r10d, ebp, 11
    andn r13d, ebp, r8d
    add eax, dword ptr [rsp + 460]
    xor r9d, r12d
    add esi, ecx
    add r15d, r11d
    rorx ecx, ebp, 25
    xor edx, r10d
    mov r10d, ebp
    and r10d, ebx
    add r13d, eax
    mov eax, dword ptr [rsp + 464]
    and eax, r14d
    mov r11d, dword ptr [rsp + 464]
    xor r11d, r14d
    add r9d, esi
    mov dword ptr [rsp + 272], r9d
    rorx r12d, edi, 17
    rorx esi, edi, 19
    xor ecx, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r13d
    and r11d, r15d
    sub eax, dword ptr [rsp + 460]
    rorx r13d, dword ptr [rsp + 216], 7
    rorx edi, dword ptr [rsp + 216], 18
    mov dword ptr [rsp + 468], r14d
    mov r14d, dword ptr [rsp + 268]
    shr r14d, 10
    xor r12d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add ecx, r10d
    add r11d, eax
    mov eax, dword ptr [rsp + 272]
    lea r8d, [rax + r8 + 1537002063]
    mov r9d, dword ptr [rsp + 216]
    shr r9d, 3
    xor r13d, edi
    xor r14d, r12d
    mov edi, dword ptr [rsp + 212]
    add edi, dword ptr [rsp + 248]
    xor esi, edx
    add r11d, ecx
    rorx edx, ecx, 6
    rorx r10d, ecx, 11
    andn r12d, ecx, ebx
    add r8d, dword ptr [rsp + 464]
    xor r9d, r13d
    add r14d, edi
    add esi, r11d
    rorx edi, ecx, 25
    xor edx, r10d
    mov r10d, ecx
    and r10d, ebp
    add r12d, r8d
    mov r8d, dword ptr [rsp + 468]
    and r8d, r15d
    mov r11d, dword ptr [rsp + 468]
    xor r11d, r15d
    add r9d, r14d
    mov dword ptr [rsp + 276], r9d
    rorx r13d, eax, 17
    rorx r14d, eax, 19
    xor edi, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r12d
    and r11d, esi
    sub r8d, dword ptr [rsp + 464]
    rorx r12d, dword ptr [rsp + 220], 7
    rorx eax, dword ptr [rsp + 220], 18
    mov dword ptr [rsp + 472], r15d
    mov r15d, dword ptr [rsp + 272]
    shr r15d, 10
    xor r13d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add edi, r10d
    add r11d, r8d
    mov r8d, dword ptr [rsp + 276]
    lea ebx, [r8 + rbx + 1747873779]
    mov r9d, dword ptr [rsp + 220]
    shr r9d, 3
    xor r12d, eax
    xor r15d, r13d
    mov eax, dword ptr [rsp + 216]
    add eax, dword ptr [rsp + 252]
    xor r14d, edx
    add r11d, edi
    rorx edx, edi, 6
    rorx r10d, edi, 11
    andn r13d, edi, ebp
    add ebx, dword ptr [rsp + 468]
    xor r9d, r12d
    add r15d, eax
    add r14d, r11d
    rorx eax, edi, 25
    xor edx, r10d
    mov r10d, edi
    and r10d, ecx
    add r13d, ebx
    mov ebx, dword ptr [rsp + 472]
    and ebx, esi
    mov r11d, dword ptr [rsp + 472]
    xor r11d, esi
    add r9d, r15d
    mov dword ptr [rsp + 280], r9d
    rorx r12d, r8d, 17
    rorx r15d, r8d, 19
    xor eax, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, r13d
    and r11d, r14d
    sub ebx, dword ptr [rsp + 468]
    rorx r13d, dword ptr [rsp + 224], 7
    rorx r8d, dword ptr [rsp + 224], 18
    mov dword ptr [rsp + 476], esi
    mov esi, dword ptr [rsp + 276]
    shr esi, 10
    xor r12d, r15d
    rorx r15d, r14d, 22
    xor edx, r9d
    add eax, r10d
    add r11d, ebx
    mov ebx, dword ptr [rsp + 280]
    lea ebp, [rbx + rbp + 1955562222]
    mov r9d, dword ptr [rsp + 224]
    shr r9d, 3
    xor r13d, r8d
    xor esi, r12d
    mov r8d, dword ptr [rsp + 220]
    add r8d, dword ptr [rsp + 256]
    xor r15d, edx
    add r11d, eax
    rorx edx, eax, 6
    rorx r10d, eax, 11
    andn r12d, eax, ecx
    add ebp, dword ptr [rsp + 472]
    xor r9d, r13d
    add esi, r8d
    add r15d, r11d
    rorx r8d, eax, 25
    xor edx, r10d
    mov r10d, eax
    and r10d, edi
    add r12d, ebp
    mov ebp, dword ptr [rsp + 476]
    and ebp, r14d
    mov r11d, dword ptr [rsp + 476]
    xor r11d, r14d
    add r9d, esi
    mov dword ptr [rsp + 284], r9d
    rorx r13d, ebx, 17
    rorx esi, ebx, 19
    xor r8d, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r12d
    and r11d, r15d
    sub ebp, dword ptr [rsp + 472]
    rorx r12d, dword ptr [rsp + 228], 7
    rorx ebx, dword ptr [rsp + 228], 18
    mov dword ptr [rsp + 480], r14d
    mov r14d, dword ptr [rsp + 280]
    shr r14d, 10
    xor r13d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add r8d, r10d
    add r11d, ebp
    mov ebp, dword ptr [rsp + 284]
    lea ecx, [rbp + rcx + 2024104815]
    mov r9d, dword ptr [rsp + 228]
    shr r9d, 3
    xor r12d, ebx
    xor r14d, r13d
    mov ebx, dword ptr [rsp + 224]
    add ebx, dword ptr [rsp + 260]
    xor esi, edx
    add r11d, r8d
    rorx edx, r8d, 6
    rorx r10d, r8d, 11
    andn r13d, r8d, edi
    add ecx, dword ptr [rsp + 476]
    xor r9d, r12d
    add r14d, ebx
    add esi, r11d
    rorx ebx, r8d, 25
    xor edx, r10d
    mov r10d, r8d
    and r10d, eax
    add r13d, ecx
    mov ecx, dword ptr [rsp + 480]
    and ecx, r15d
    mov r11d, dword ptr [rsp + 480]
    xor r11d, r15d
    add r9d, r14d
    mov dword ptr [rsp + 288], r9d
    rorx r12d, ebp, 17
    rorx r14d, ebp, 19
    xor ebx, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r13d
    and r11d, esi
    sub ecx, dword ptr [rsp + 476]
    rorx r13d, dword ptr [rsp + 232], 7
    rorx ebp, dword ptr [rsp + 232], 18
    mov dword ptr [rsp + 484], r15d
    mov r15d, dword ptr [rsp + 284]
    shr r15d, 10
    xor r12d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add ebx, r10d
    add r11d, ecx
    mov ecx, dword ptr [rsp + 288]
    lea edi, [rcx + rdi - 2067236844]
    mov r9d, dword ptr [rsp + 232]
    shr r9d, 3
    xor r13d, ebp
    xor r15d, r12d
    mov ebp, dword ptr [rsp + 228]
    add ebp, dword ptr [rsp + 264]
    xor r14d, edx
    add r11d, ebx
    rorx edx, ebx, 6
    rorx r10d, ebx, 11
    andn r12d, ebx, eax
    add edi, dword ptr [rsp + 480]
    xor r9d, r13d
    add r15d, ebp
    add r14d, r11d
    rorx ebp, ebx, 25
    xor edx, r10d
    mov r10d, ebx
    and r10d, r8d
    add r12d, edi
    mov edi, dword ptr [rsp + 484]
    and edi, esi
    mov r11d, dword ptr [rsp + 484]
    xor r11d, esi
    add r9d, r15d
    mov dword ptr [rsp + 292], r9d
    rorx r13d, ecx, 17
    rorx r15d, ecx, 19
    xor ebp, edx
    rorx edx, r14d, 2
    rorx r9d, r14d, 13
    add r10d, r12d
    and r11d, r14d
    sub edi, dword ptr [rsp + 480]
    rorx r12d, dword ptr [rsp + 236], 7
    rorx ecx, dword ptr [rsp + 236], 18
    mov dword ptr [rsp + 488], esi
    mov esi, dword ptr [rsp + 288]
    shr esi, 10
    xor r13d, r15d
    rorx r15d, r14d, 22
    xor edx, r9d
    add ebp, r10d
    add r11d, edi
    mov edi, dword ptr [rsp + 292]
    lea eax, [rdi + rax - 1933114872]
    mov r9d, dword ptr [rsp + 236]
    shr r9d, 3
    xor r12d, ecx
    xor esi, r13d
    mov ecx, dword ptr [rsp + 232]
    add ecx, dword ptr [rsp + 268]
    xor r15d, edx
    add r11d, ebp
    rorx edx, ebp, 6
    rorx r10d, ebp, 11
    andn r13d, ebp, r8d
    add eax, dword ptr [rsp + 484]
    xor r9d, r12d
    add esi, ecx
    add r15d, r11d
    rorx ecx, ebp, 25
    xor edx, r10d
    mov r10d, ebp
    and r10d, ebx
    add r13d, eax
    mov eax, dword ptr [rsp + 488]
    and eax, r14d
    mov r11d, dword ptr [rsp + 488]
    xor r11d, r14d
    add r9d, esi
    mov dword ptr [rsp + 296], r9d
    rorx r12d, edi, 17
    rorx esi, edi, 19
    xor ecx, edx
    rorx edx, r15d, 2
    rorx r9d, r15d, 13
    add r10d, r13d
    and r11d, r15d
    sub eax, dword ptr [rsp + 484]
    rorx r13d, dword ptr [rsp + 240], 7
    rorx edi, dword ptr [rsp + 240], 18
    mov dword ptr [rsp + 492], r14d
    mov r14d, dword ptr [rsp + 292]
    shr r14d, 10
    xor r12d, esi
    rorx esi, r15d, 22
    xor edx, r9d
    add ecx, r10d
    add r11d, eax
    mov eax, dword ptr [rsp + 296]
    lea r8d, [rax + r8 - 1866530822]
    mov r9d, dword ptr [rsp + 240]
    shr r9d, 3
    xor r13d, edi
    xor r14d, r12d
    mov edi, dword ptr [rsp + 236]
    add edi, dword ptr [rsp + 272]
    xor esi, edx
    add r11d, ecx
    rorx edx, ecx, 6
    rorx r10d, ecx, 11
    andn r12d, ecx, ebx
    add r8d, dword ptr [rsp + 488]
    xor r9d, r13d
    add r14d, edi
    add esi, r11d
    rorx edi, ecx, 25
    xor edx, r10d
    mov r10d, ecx
    and r10d, ebp
    add r12d, r8d
    mov r8d, dword ptr [rsp + 492]
    and r8d, r15d
    mov r11d, dword ptr [rsp + 492]
    xor r11d, r15d
    add r9d, r14d
    mov dword ptr [rsp + 300], r9d
    rorx r13d, eax, 17
    rorx r14d, eax, 19
    xor edi, edx
    rorx edx, esi, 2
    rorx r9d, esi, 13
    add r10d, r12d
    and r11d, esi
    sub r8d, dword ptr [rsp + 488]
    rorx r12d, dword ptr [rsp + 244], 7
    rorx eax, dword ptr [rsp + 244], 18
    mov dword ptr [rsp + 496], r15d
    mov r15d, dword ptr [rsp + 296]
    shr r15d, 10
    xor r13d, r14d
    rorx r14d, esi, 22
    xor edx, r9d
    add edi, r10d
    add r11d, r8d
    mov r8d, dword ptr [rsp + 300]
    lea ebx, [r8 + rbx - 1538233109]
    mov r9d, dword ptr [rsp + 244]
    shr r9d, 3
    xor r12d, eax
    xor r15d, r13d
    mov eax, dword ptr [rsp + 240]
    add eax, dword ptr [rsp + 276]
    xor r14d, edx
    add r11d, edi
    rorx edx, edi, 6
    rorx r10d, edi, 11
    andn r13d, edi, ebp
    add ebx, dword ptr [rsp + 492]
    xor r9d, r12d
    add r15d, eax
    add r14d, r11d
    rorx eax, edi, 25
    xor edx, r10d
    mov r10d, edi
    and r10d, ecx
    add r13d, ebx
    mov ebx, dword ptr [rsp + 496]
    and ebx, esi
    mov r11d, dword ptr [rsp + 496]
    xor r11d, esi
    add r9d, r15d
    rorx r12d, r8d, 17
    rorx r15d, r8d, 19
    xor eax, edx
    rorx edx, r14d, 2
    rorx r8d, r14d, 13
    add r10d, r13d
    and r11d, r14d
    sub ebx, dword ptr [rsp + 492]
    rorx r13d, dword ptr [rsp + 248], 7
    mov dword ptr [rsp + 500], esi
    rorx esi, dword ptr [rsp + 248], 18
    mov dword ptr [rsp + 504], edi
    mov edi, dword ptr [rsp + 300]
    shr edi, 10
    xor r12d, r15d
    rorx r15d, r14d, 22
    xor edx, r8d
    add eax, r10d
    add r11d, ebx
    lea ebx, [r9 + rbp - 1090935817]
    mov ebp, dword ptr [rsp + 248]
    shr ebp, 3
    xor r13d, esi
    xor edi, r12d
    mov r8d, dword ptr [rsp + 244]
    add r8d, dword ptr [rsp + 280]
    xor r15d, edx
    add r11d, eax
    rorx edx, eax, 6
    rorx r9d, eax, 11
    andn r10d, eax, ecx
    add ebx, dword ptr [rsp + 496]
    xor ebp, r13d
    add edi, r8d
    add r15d, r11d
    rorx r8d, eax, 25
    xor edx, r9d
    mov r9d, dword ptr [rsp + 504]
    and r9d, eax
    add r10d, ebx
    mov ebx, dword ptr [rsp + 500]
    and ebx, r14d
    mov r11d, dword ptr [rsp + 500]
    xor r11d, r14d
    add ebp, edi
    xor r8d, edx
    rorx edx, r15d, 2
    rorx edi, r15d, 13
    add r9d, r10d
    and r11d, r15d
    sub ebx, dword ptr [rsp + 496]
    rorx r10d, r15d, 22
    xor edx, edi
    add r8d, r9d
    add r11d, ebx
    lea ecx, [rbp + rcx - 965641998]
    xor r10d, edx
    add r11d, r8d
    rorx edx, r8d, 6
    rorx ebx, r8d, 11
    andn ebp, r8d, dword ptr [rsp + 504]
    add ecx, dword ptr [rsp + 500]
    add r10d, r11d
    rorx edi, r8d, 25
    xor edx, ebx
    mov ebx, r8d
    and ebx, eax
    add ebp, ecx
    mov ecx, r15d
    and ecx, r14d
    mov r9d, r15d
    xor r9d, r14d
    xor edi, edx
    rorx edx, r10d, 2
    rorx r11d, r10d, 13
    add ebx, ebp
    and r9d, r10d
    sub ecx, dword ptr [rsp + 500]
    rorx ebp, r10d, 22
    xor edx, r11d
    add edi, ebx
    add r9d, ecx
    xor ebp, edx
    add r9d, edi
    add ebp, r9d
    add ebp, dword ptr [rsp]
    add r10d, dword ptr [rsp + 4]
    add r15d, dword ptr [rsp + 8]
    add r14d, dword ptr [rsp + 12]
    add edi, dword ptr [rsp + 16]
    add r8d, dword ptr [rsp + 20]
    add eax, dword ptr [rsp + 24]
    mov ecx, dword ptr [rsp + 28]
    add ecx, dword ptr [rsp + 504]
    mov dword ptr [rsp], ebp
    mov dword ptr [rsp + 4], r10d
    mov dword ptr [rsp + 8], r15d
    mov dword ptr [rsp + 12], r14d
    mov dword ptr [rsp + 16], edi
    mov dword ptr [rsp + 20], r8d
    mov dword ptr [rsp + 24], eax
    mov dword ptr [rsp + 28], ecx
    mov edx, r15d
    mov r9d, ecx
    mov ecx, r10d
    mov ebx, r14d
    mov r10d, ebp
    mov ebp, edi
    mov edi, r8d
    mov r8d, eax
    mov eax, r10d
    sub qword ptr [rsp + 48], 1
    jnz .Lsha256_bmi2_block
    mov rsi, qword ptr [rsp + 32]
    mov dword ptr [rsi], eax
    mov dword ptr [rsi + 4], ecx
    mov dword ptr [rsi + 8], edx
    mov dword ptr [rsi + 12], ebx
    mov dword ptr [rsi + 16], ebp
    mov dword ptr [rsi + 24], r8d
    mov dword ptr [rsi + 28], r9d
    mov dword ptr [rsi + 20], edi
    add rsp, 512
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
.Lsha256_bmi2_end:
    ret
    .cfi_endproc
