    .cfi_startproc
    test rdx, rdx
    jz .Lsha1_bmi2_end
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
    sub rsp, 368
    .cfi_def_cfa_offset 424
    mov qword ptr [rsp + 24], rdi
    mov qword ptr [rsp + 40], rdx
    mov qword ptr [rsp + 32], rsi
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
    .p2align 6
.Lsha1_bmi2_block:
    mov rsi, qword ptr [rsp + 32]
    mov edi, dword ptr [rsi]
    bswap edi
    mov dword ptr [rsp + 48], edi
    mov r8d, dword ptr [rsi + 4]
    bswap r8d
    mov dword ptr [rsp + 52], r8d
    mov r9d, dword ptr [rsi + 8]
    bswap r9d
    mov dword ptr [rsp + 56], r9d
    mov r10d, dword ptr [rsi + 12]
    bswap r10d
    mov dword ptr [rsp + 60], r10d
    mov r11d, dword ptr [rsi + 16]
    bswap r11d
    mov dword ptr [rsp + 64], r11d
    mov r12d, dword ptr [rsi + 20]
    bswap r12d
    mov dword ptr [rsp + 68], r12d
    mov r13d, dword ptr [rsi + 24]
    bswap r13d
    mov dword ptr [rsp + 72], r13d
    mov r14d, dword ptr [rsi + 28]
    bswap r14d
    mov dword ptr [rsp + 76], r14d
    mov r15d, dword ptr [rsi + 32]
    bswap r15d
    mov dword ptr [rsp + 80], r15d
    mov edi, dword ptr [rsi + 36]
    bswap edi
    mov dword ptr [rsp + 84], edi
    mov r8d, dword ptr [rsi + 40]
    bswap r8d
    mov dword ptr [rsp + 88], r8d
    mov r9d, dword ptr [rsi + 44]
    bswap r9d
    mov dword ptr [rsp + 92], r9d
    mov r10d, dword ptr [rsi + 48]
    bswap r10d
    mov dword ptr [rsp + 96], r10d
    mov r11d, dword ptr [rsi + 52]
    bswap r11d
    mov dword ptr [rsp + 100], r11d
    mov r12d, dword ptr [rsi + 56]
    bswap r12d
    mov dword ptr [rsp + 104], r12d
    mov r13d, dword ptr [rsi + 60]
    bswap r13d
    mov dword ptr [rsp + 108], r13d
    add rsi, 64
    mov qword ptr [rsp + 32], rsi
    mov edi, edx
    and edi, ecx
    mov r8d, dword ptr [rsp + 48]
    lea ebp, [rbp + r8 + 1518500249]
    andn r8d, ecx, ebx
    add edi, ebp
    rorx ecx, ecx, 2
    rorx ebp, eax, 27
    mov r9d, ecx
    and r9d, eax
    add r8d, edi
    mov edi, dword ptr [rsp + 52]
    lea ebx, [rbx + rdi + 1518500249]
    andn edi, eax, edx
    add ebp, r8d
    add r9d, ebx
    rorx eax, eax, 2
    rorx ebx, ebp, 27
    add edi, r9d
    mov r8d, ebp
    and r8d, eax
    mov r9d, dword ptr [rsp + 56]
    lea edx, [rdx + r9 + 1518500249]
    add ebx, edi
    andn edi, ebp, ecx
    add edx, r8d
    rorx ebp, ebp, 2
    rorx r8d, ebx, 27
    add edi, edx
    mov edx, ebp
    and edx, ebx
    mov r9d, dword ptr [rsp + 60]
    lea ecx, [r9 + rcx + 1518500249]
    add r8d, edi
    andn edi, ebx, eax
    add ecx, edx
    rorx edx, ebx, 2
    rorx ebx, r8d, 27
    add edi, ecx
    mov ecx, edx
    and ecx, r8d
    mov r9d, dword ptr [rsp + 64]
    lea eax, [r9 + rax + 1518500249]
    add ebx, edi
    andn edi, r8d, ebp
    add eax, ecx
    rorx ecx, r8d, 2
    rorx r8d, ebx, 27
    add edi, eax
    mov eax, ecx
    and eax, ebx
    mov r9d, dword ptr [rsp + 68]
    lea ebp, [r9 + rbp + 1518500249]
    add r8d, edi
    andn edi, ebx, edx
    add eax, ebp
    rorx ebx, ebx, 2
    rorx ebp, r8d, 27
    add edi, eax
    mov eax, ebx
    and eax, r8d
    mov r9d, dword ptr [rsp + 72]
    lea edx, [r9 + rdx + 1518500249]
    add ebp, edi
    andn edi, r8d, ecx
    add eax, edx
    rorx edx, r8d, 2
    rorx r8d, ebp, 27
    add edi, eax
    mov eax, edx
    and eax, ebp
    mov r9d, dword ptr [rsp + 76]
    lea ecx, [r9 + rcx + 1518500249]
    add r8d, edi
    andn edi, ebp, ebx
    add eax, ecx
    rorx ecx, ebp, 2
    rorx ebp, r8d, 27
    add edi, eax
    mov eax, ecx
    and eax, r8d
    mov r9d, dword ptr [rsp + 80]
    lea ebx, [r9 + rbx + 1518500249]
    add ebp, edi
    andn edi, r8d, edx
    add eax, ebx
    rorx ebx, r8d, 2
    rorx r8d, ebp, 27
    add edi, eax
    mov eax, ebx
    and eax, ebp
    mov r10d, dword ptr [rsp + 84]
    lea edx, [r10 + rdx + 1518500249]
    add r8d, edi
    andn edi, ebp, ecx
    add eax, edx
    rorx edx, ebp, 2
    rorx ebp, r8d, 27
    add edi, eax
    mov eax, edx
    and eax, r8d
    mov r11d, dword ptr [rsp + 88]
    lea ecx, [r11 + rcx + 1518500249]
    add ebp, edi
    andn edi, r8d, ebx
    add eax, ecx
    rorx ecx, r8d, 2
    rorx r8d, ebp, 27
    add edi, eax
    mov eax, ecx
    and eax, ebp
    mov r12d, dword ptr [rsp + 92]
    lea ebx, [r12 + rbx + 1518500249]
    add r8d, edi
    andn edi, ebp, edx
    add eax, ebx
    rorx ebx, ebp, 2
    rorx ebp, r8d, 27
    add edi, eax
    mov eax, ebx
    and eax, r8d
    mov r13d, dword ptr [rsp + 96]
    lea edx, [r13 + rdx + 1518500249]
    add ebp, edi
    andn edi, r8d, ecx
    add eax, edx
    rorx edx, r8d, 2
    rorx r8d, ebp, 27
    add edi, eax
    mov eax, edx
    and eax, ebp
    mov r13d, dword ptr [rsp + 100]
    lea ecx, [r13 + rcx + 1518500249]
    add r8d, edi
    andn edi, ebp, ebx
    add eax, ecx
    rorx ecx, ebp, 2
    rorx ebp, r8d, 27
    add edi, eax
    mov eax, ecx
    and eax, r8d
    mov r14d, dword ptr [rsp + 104]
    lea ebx, [r14 + rbx + 1518500249]
    xor r9d, dword ptr [rsp + 56]
    add ebp, edi
    andn edi, r8d, edx
    add eax, ebx
    rorx ebx, r8d, 2
    xor r9d, dword ptr [rsp + 48]
    rorx r8d, ebp, 27
    add edi, eax
    mov eax, ebx
    and eax, ebp
    mov r15d, dword ptr [rsp + 108]
    lea edx, [r15 + rdx + 1518500249]
    xor r9d, r13d
    xor r10d, dword ptr [rsp + 60]
    add r8d, edi
    andn edi, ebp, ecx
    add eax, edx
    rorx edx, ebp, 2
    rorx ebp, r9d, 31
    mov dword ptr [rsp + 112], ebp
    xor r10d, dword ptr [rsp + 52]
    rorx r9d, r8d, 27
    add edi, eax
    mov eax, edx
    and eax, r8d
    lea ecx, [rbp + rcx + 1518500249]
    xor r10d, r14d
    xor r11d, dword ptr [rsp + 64]
    add r9d, edi
    andn edi, r8d, ebx
    add eax, ecx
    rorx ecx, r8d, 2
    rorx r8d, r10d, 31
    mov dword ptr [rsp + 116], r8d
    xor r11d, dword ptr [rsp + 56]
    rorx r10d, r9d, 27
    add edi, eax
    mov eax, ecx
    and eax, r9d
    lea ebx, [r8 + rbx + 1518500249]
    xor r11d, r15d
    xor r12d, dword ptr [rsp + 68]
    add r10d, edi
    andn edi, r9d, edx
    add eax, ebx
    rorx ebx, r9d, 2
    rorx r9d, r11d, 31
    mov dword ptr [rsp + 120], r9d
    xor r12d, dword ptr [rsp + 60]
    rorx r11d, r10d, 27
    add edi, eax
    mov eax, ebx
    and eax, r10d
    lea edx, [r9 + rdx + 1518500249]
    xor r12d, ebp
    mov esi, dword ptr [rsp + 72]
    xor esi, dword ptr [rsp + 96]
    add r11d, edi
    andn edi, r10d, ecx
    add eax, edx
    rorx edx, r10d, 2
    rorx r10d, r12d, 31
    mov dword ptr [rsp + 124], r10d
    xor esi, dword ptr [rsp + 64]
    rorx r12d, r11d, 27
    add edi, eax
    mov eax, edx
    and eax, r11d
    lea ecx, [r10 + rcx + 1518500249]
    xor esi, r8d
    xor r13d, dword ptr [rsp + 76]
    add r12d, edi
    andn edi, r11d, ebx
    add eax, ecx
    rorx ecx, r11d, 2
    rorx r11d, esi, 31
    mov dword ptr [rsp + 128], r11d
    xor r13d, dword ptr [rsp + 68]
    rorx esi, r12d, 27
    add edi, eax
    mov eax, ecx
    xor eax, edx
    lea ebx, [r11 + rbx + 1859775393]
    xor r13d, r9d
    xor r14d, dword ptr [rsp + 80]
    add esi, edi
    xor eax, r12d
    rorx edi, r12d, 2
    rorx r12d, r13d, 31
    mov dword ptr [rsp + 132], r12d
    xor r14d, dword ptr [rsp + 72]
    rorx r13d, esi, 27
    add eax, ebx
    mov ebx, edi
    xor ebx, ecx
    lea edx, [r12 + rdx + 1859775393]
    xor r14d, r10d
    xor r15d, dword ptr [rsp + 84]
    add r13d, eax
    xor ebx, esi
    rorx eax, esi, 2
    rorx r14d, r14d, 31
    mov dword ptr [rsp + 136], r14d
    xor r15d, dword ptr [rsp + 76]
    rorx esi, r13d, 27
    add ebx, edx
    mov edx, eax
    xor edx, edi
    lea ecx, [r14 + rcx + 1859775393]
    xor r15d, r11d
    xor ebp, dword ptr [rsp + 88]
    add esi, ebx
    xor edx, r13d
    rorx ebx, r13d, 2
    rorx r13d, r15d, 31
    mov dword ptr [rsp + 140], r13d
    xor ebp, dword ptr [rsp + 80]
    rorx r15d, esi, 27
    add edx, ecx
    mov ecx, ebx
    xor ecx, eax
    lea edi, [r13 + rdi + 1859775393]
    xor ebp, r12d
    xor r8d, dword ptr [rsp + 92]
    add r15d, edx
    xor ecx, esi
    rorx edx, esi, 2
    rorx ebp, ebp, 31
    mov dword ptr [rsp + 144], ebp
    xor r8d, dword ptr [rsp + 84]
    rorx esi, r15d, 27
    add ecx, edi
    mov edi, edx
    xor edi, ebx
    lea eax, [rbp + rax + 1859775393]
    xor r8d, r14d
    xor r9d, dword ptr [rsp + 96]
    add esi, ecx
    xor edi, r15d
    rorx ecx, r15d, 2
    rorx r8d, r8d, 31
    mov dword ptr [rsp + 148], r8d
    xor r9d, dword ptr [rsp + 88]
    rorx r15d, esi, 27
    add edi, eax
    mov eax, ecx
    xor eax, edx
    lea ebx, [r8 + rbx + 1859775393]
    xor r9d, r13d
    xor r10d, dword ptr [rsp + 100]
    add r15d, edi
    xor eax, esi
    rorx edi, esi, 2
    rorx r9d, r9d, 31
    mov dword ptr [rsp + 152], r9d
    xor r10d, dword ptr [rsp + 92]
    rorx esi, r15d, 27
    add eax, ebx
    mov ebx, edi
    xor ebx, ecx
    lea edx, [r9 + rdx + 1859775393]
    xor r10d, ebp
    xor r11d, dword ptr [rsp + 104]
    add esi, eax
    xor ebx, r15d
    rorx eax, r15d, 2
    rorx r10d, r10d, 31
    mov dword ptr [rsp + 156], r10d
    xor r11d, dword ptr [rsp + 96]
    rorx r15d, esi, 27
    add ebx, edx
    mov edx, eax
    xor edx, edi
    lea ecx, [r10 + rcx + 1859775393]
    xor r11d, r8d
    xor r12d, dword ptr [rsp + 108]
    add r15d, ebx
    xor edx, esi
    rorx ebx, esi, 2
    rorx r11d, r11d, 31
    mov dword ptr [rsp + 160], r11d
    xor r12d, dword ptr [rsp + 100]
    rorx esi, r15d, 27
    add edx, ecx
    mov ecx, ebx
    xor ecx, eax
    lea edi, [r11 + rdi + 1859775393]
    xor r12d, r9d
    xor r14d, dword ptr [rsp + 112]
    add esi, edx
    xor ecx, r15d
    rorx edx, r15d, 2
    rorx r12d, r12d, 31
    mov dword ptr [rsp + 164], r12d
    xor r14d, dword ptr [rsp + 104]
    rorx r15d, esi, 27
    add ecx, edi
    mov edi, edx
    xor edi, ebx
    lea eax, [r12 + rax + 1859775393]
    xor r14d, r10d
    xor r13d, dword ptr [rsp + 116]
    add r15d, ecx
    xor edi, esi
    rorx ecx, esi, 2
    rorx r14d, r14d, 31
    mov dword ptr [rsp + 168], r14d
    xor r13d, dword ptr [rsp + 108]
    rorx esi, r15d, 27
    add edi, eax
    mov eax, ecx
    xor eax, edx
    lea ebx, [r14 + rbx + 1859775393]
    mov r10d, dword ptr [rsp + 112]
    xor r10d, dword ptr [rsp + 120]
    xor r13d, r11d
    add esi, edi
    xor eax, r15d
    rorx edi, r15d, 2
    xor ebp, r10d
    rorx r10d, r13d, 31
    mov dword ptr [rsp + 172], r10d
    rorx r13d, esi, 27
    add eax, ebx
    mov ebx, edi
    xor ebx, ecx
    lea edx, [r10 + rdx + 1859775393]
    xor ebp, r12d
    mov r15d, dword ptr [rsp + 116]
    xor r15d, dword ptr [rsp + 124]
    add r13d, eax
    xor ebx, esi
    rorx eax, esi, 2
    rorx ebp, ebp, 31
    mov dword ptr [rsp + 176], ebp
    xor r8d, r15d
    rorx r15d, r13d, 27
    add ebx, edx
    mov edx, eax
    xor edx, edi
    lea ecx, [rbp + rcx + 1859775393]
    xor r8d, r14d
    mov esi, dword ptr [rsp + 120]
    xor esi, dword ptr [rsp + 128]
    add r15d, ebx
    xor edx, r13d
    rorx ebx, r13d, 2
    rorx r8d, r8d, 31
    mov dword ptr [rsp + 180], r8d
    xor r9d, esi
    rorx r13d, r15d, 27
    add edx, ecx
    mov ecx, ebx
    xor ecx, eax
    lea edi, [r8 + rdi + 1859775393]
    xor r9d, r10d
    mov esi, dword ptr [rsp + 124]
    xor esi, dword ptr [rsp + 132]
    add r13d, edx
    xor ecx, r15d
    rorx edx, r15d, 2
    rorx r9d, r9d, 31
    mov dword ptr [rsp + 184], r9d
    xor esi, dword ptr [rsp + 156]
    rorx r15d, r13d, 27
    add ecx, edi
    mov edi, edx
    xor edi, ebx
    lea eax, [r9 + rax + 1859775393]
    xor esi, ebp
    mov ebp, dword ptr [rsp + 128]
    xor ebp, dword ptr [rsp + 136]
    add r15d, ecx
    xor edi, r13d
    rorx ecx, r13d, 2
    rorx r13d, esi, 31
    mov dword ptr [rsp + 188], r13d
    xor r11d, ebp
    rorx ebp, r15d, 27
    add edi, eax
    mov eax, ecx
    xor eax, edx
    lea ebx, [r13 + rbx + 1859775393]
    xor r11d, r8d
    mov esi, dword ptr [rsp + 132]
    xor esi, dword ptr [rsp + 140]
    add ebp, edi
    xor eax, r15d
    rorx edi, r15d, 2
    rorx r11d, r11d, 31
    mov dword ptr [rsp + 192], r11d
    xor r12d, esi
    rorx r15d, ebp, 27
    add eax, ebx
    mov ebx, edi
    xor ebx, ecx
    lea edx, [r11 + rdx + 1859775393]
    xor r12d, r9d
    mov esi, dword ptr [rsp + 136]
    xor esi, dword ptr [rsp + 144]
    add r15d, eax
    xor ebx, ebp
    rorx eax, ebp, 2
    rorx ebp, r12d, 31
    mov dword ptr [rsp + 196], ebp
    xor r14d, esi
    rorx r12d, r15d, 27
    add ebx, edx
    mov edx, eax
    xor edx, edi
    lea ecx, [rbp + rcx + 1859775393]
    xor r14d, r13d
    mov esi, dword ptr [rsp + 140]
    xor esi, dword ptr [rsp + 148]
    add r12d, ebx
    xor edx, r15d
    rorx ebx, r15d, 2
    rorx r14d, r14d, 31
    mov dword ptr [rsp + 200], r14d
    xor r10d, esi
    rorx r15d, r12d, 27
    add edx, ecx
    mov ecx, ebx
    xor ecx, eax
    lea edi, [r14 + rdi + 1859775393]
    xor r10d, r11d
    mov esi, dword ptr [rsp + 144]
    xor esi, dword ptr [rsp + 152]
    add r15d, edx
    xor ecx, r12d
    rorx edx, r12d, 2
    rorx r10d, r10d, 31
    mov dword ptr [rsp + 204], r10d
    xor esi, dword ptr [rsp + 176]
    rorx r12d, r15d, 27
    add ecx, edi
    mov edi, edx
    xor edi, ebx
    lea eax, [r10 + rax + 1859775393]
    xor esi, ebp
    mov ebp, dword ptr [rsp + 148]
    xor ebp, dword ptr [rsp + 156]
    add r12d, ecx
    xor edi, r15d
    rorx ecx, r15d, 2
    rorx r15d, esi, 31
    mov dword ptr [rsp + 208], r15d
    xor r8d, ebp
    rorx ebp, r12d, 27
    add edi, eax
    mov eax, ecx
    and eax, edx
    mov esi, ecx
    xor esi, edx
    lea ebx, [r15 + rbx - 1894007588]
    xor r8d, r14d
    mov r14d, dword ptr [rsp + 152]
    xor r14d, dword ptr [rsp + 160]
    add ebp, edi
    and esi, r12d
    add eax, ebx
    rorx ebx, r12d, 2
    rorx edi, r8d, 31
    mov dword ptr [rsp + 212], edi
    xor r9d, r14d
    rorx r8d, ebp, 27
    add esi, eax
    mov eax, ebx
    and eax, ecx
    mov r12d, ebx
    xor r12d, ecx
    lea edx, [rdi + rdx - 1894007588]
    xor r9d, r10d
    mov r14d, dword ptr [rsp + 156]
    xor r14d, dword ptr [rsp + 164]
    add r8d, esi
    and r12d, ebp
    add eax, edx
    rorx edx, ebp, 2
    rorx ebp, r9d, 31
    mov dword ptr [rsp + 216], ebp
    xor r13d, r14d
    rorx r9d, r8d, 27
    add r12d, eax
    mov eax, edx
    and eax, ebx
    mov r14d, edx
    xor r14d, ebx
    lea ecx, [rbp + rcx - 1894007588]
    xor r13d, r15d
    mov esi, dword ptr [rsp + 160]
    xor esi, dword ptr [rsp + 168]
    add r9d, r12d
    and r14d, r8d
    add eax, ecx
    rorx ecx, r8d, 2
    rorx r8d, r13d, 31
    mov dword ptr [rsp + 220], r8d
    xor r11d, esi
    rorx r12d, r9d, 27
    add r14d, eax
    mov eax, ecx
    and eax, edx
    mov r13d, ecx
    xor r13d, edx
    lea ebx, [r8 + rbx - 1894007588]
    xor r11d, edi
    mov esi, dword ptr [rsp + 164]
    xor esi, dword ptr [rsp + 172]
    add r12d, r14d
    and r13d, r9d
    add eax, ebx
    rorx ebx, r9d, 2
    rorx r9d, r11d, 31
    mov dword ptr [rsp + 224], r9d
    xor esi, dword ptr [rsp + 196]
    rorx r11d, r12d, 27
    add r13d, eax
    mov eax, ebx
    and eax, ecx
    mov r14d, ebx
    xor r14d, ecx
    lea edx, [r9 + rdx - 1894007588]
    xor esi, ebp
    mov ebp, dword ptr [rsp + 168]
    xor ebp, dword ptr [rsp + 176]
    add r11d, r13d
    and r14d, r12d
    add eax, edx
    rorx edx, r12d, 2
    rorx r12d, esi, 31
    mov dword ptr [rsp + 228], r12d
    xor ebp, dword ptr [rsp + 200]
    rorx r13d, r11d, 27
    add r14d, eax
    mov eax, edx
    and eax, ebx
    mov esi, edx
    xor esi, ebx
    lea ecx, [r12 + rcx - 1894007588]
    xor ebp, r8d
    mov r8d, dword ptr [rsp + 172]
    xor r8d, dword ptr [rsp + 180]
    add r13d, r14d
    and esi, r11d
    add eax, ecx
    rorx ecx, r11d, 2
    rorx ebp, ebp, 31
    mov dword ptr [rsp + 232], ebp
    xor r10d, r8d
    rorx r8d, r13d, 27
    add esi, eax
    mov eax, ecx
    and eax, edx
    mov r11d, ecx
    xor r11d, edx
    lea ebx, [rbp + rbx - 1894007588]
    xor r10d, r9d
    mov r14d, dword ptr [rsp + 176]
    xor r14d, dword ptr [rsp + 184]
    add r8d, esi
    and r11d, r13d
    add eax, ebx
    rorx ebx, r13d, 2
    rorx r10d, r10d, 31
    mov dword ptr [rsp + 236], r10d
    xor r15d, r14d
    rorx r13d, r8d, 27
    add r11d, eax
    mov eax, ebx
    and eax, ecx
    mov r14d, ebx
    xor r14d, ecx
    lea edx, [r10 + rdx - 1894007588]
    xor r15d, r12d
    mov esi, dword ptr [rsp + 180]
    xor esi, dword ptr [rsp + 188]
    add r13d, r11d
    and r14d, r8d
    add eax, edx
    rorx edx, r8d, 2
    rorx r8d, r15d, 31
    mov dword ptr [rsp + 240], r8d
    xor edi, esi
    rorx r11d, r13d, 27
    add r14d, eax
    mov eax, edx
    and eax, ebx
    mov r15d, edx
    xor r15d, ebx
    lea ecx, [r8 + rcx - 1894007588]
    xor edi, ebp
    mov esi, dword ptr [rsp + 184]
    xor esi, dword ptr [rsp + 192]
    add r11d, r14d
    and r15d, r13d
    add eax, ecx
    rorx ecx, r13d, 2
    rorx edi, edi, 31
    mov dword ptr [rsp + 244], edi
    xor esi, dword ptr [rsp + 216]
    rorx r13d, r11d, 27
    add r15d, eax
    mov eax, ecx
    and eax, edx
    mov r14d, ecx
    xor r14d, edx
    lea ebx, [rdi + rbx - 1894007588]
    xor esi, r10d
    mov r10d, dword ptr [rsp + 188]
    xor r10d, dword ptr [rsp + 196]
    add r13d, r15d
    and r14d, r11d
    add eax, ebx
    rorx ebx, r11d, 2
    rorx r11d, esi, 31
    mov dword ptr [rsp + 248], r11d
    xor r10d, dword ptr [rsp + 220]
    rorx r15d, r13d, 27
    add r14d, eax
    mov eax, ebx
    and eax, ecx
    mov esi, ebx
    xor esi, ecx
    lea edx, [r11 + rdx - 1894007588]
    xor r10d, r8d
    mov r8d, dword ptr [rsp + 192]
    xor r8d, dword ptr [rsp + 200]
    add r15d, r14d
    and esi, r13d
    add eax, edx
    rorx edx, r13d, 2
    rorx r10d, r10d, 31
    mov dword ptr [rsp + 252], r10d
    xor r9d, r8d
    rorx r8d, r15d, 27
    add esi, eax
    mov eax, edx
    and eax, ebx
    mov r13d, edx
    xor r13d, ebx
    lea ecx, [r10 + rcx - 1894007588]
    xor r9d, edi
    mov r14d, dword ptr [rsp + 196]
    xor r14d, dword ptr [rsp + 204]
    add r8d, esi
    and r13d, r15d
    add eax, ecx
    rorx ecx, r15d, 2
    rorx r9d, r9d, 31
    mov dword ptr [rsp + 256], r9d
    xor r12d, r14d
    rorx r14d, r8d, 27
    add r13d, eax
    mov eax, ecx
    and eax, edx
    mov r15d, ecx
    xor r15d, edx
    lea ebx, [r9 + rbx - 1894007588]
    xor r12d, r11d
    mov esi, dword ptr [rsp + 200]
    xor esi, dword ptr [rsp + 208]
    add r14d, r13d
    and r15d, r8d
    add eax, ebx
    rorx ebx, r8d, 2
    rorx r8d, r12d, 31
    mov dword ptr [rsp + 260], r8d
    xor ebp, esi
    rorx r12d, r14d, 27
    add r15d, eax
    mov eax, ebx
    and eax, ecx
    mov r13d, ebx
    xor r13d, ecx
    lea edx, [r8 + rdx - 1894007588]
    xor ebp, r10d
    mov esi, dword ptr [rsp + 204]
    xor esi, dword ptr [rsp + 212]
    add r12d, r15d
    and r13d, r14d
    add eax, edx
    rorx edx, r14d, 2
    rorx ebp, ebp, 31
    mov dword ptr [rsp + 264], ebp
    xor esi, dword ptr [rsp + 236]
    rorx r14d, r12d, 27
    add r13d, eax
    mov eax, edx
    and eax, ebx
    mov r15d, edx
    xor r15d, ebx
    lea ecx, [rbp + rcx - 1894007588]
    xor esi, r9d
    mov r9d, dword ptr [rsp + 208]
    xor r9d, dword ptr [rsp + 216]
    add r14d, r13d
    and r15d, r12d
    add eax, ecx
    rorx ecx, r12d, 2
    rorx r12d, esi, 31
    mov dword ptr [rsp + 268], r12d
    xor r9d, dword ptr [rsp + 240]
    rorx r13d, r14d, 27
    add r15d, eax
    mov eax, ecx
    and eax, edx
    mov esi, ecx
    xor esi, edx
    lea ebx, [r12 + rbx - 1894007588]
    xor r9d, r8d
    mov r8d, dword ptr [rsp + 212]
    xor r8d, dword ptr [rsp + 220]
    add r13d, r15d
    and esi, r14d
    add eax, ebx
    rorx ebx, r14d, 2
    rorx r9d, r9d, 31
    mov dword ptr [rsp + 272], r9d
    xor edi, r8d
    rorx r8d, r13d, 27
    add esi, eax
    mov eax, ebx
    and eax, ecx
    mov r14d, ebx
    xor r14d, ecx
    lea edx, [r9 + rdx - 1894007588]
    xor edi, ebp
    mov r15d, dword ptr [rsp + 216]
    xor r15d, dword ptr [rsp + 224]
    add r8d, esi
    and r14d, r13d
    add eax, edx
    rorx edx, r13d, 2
    rorx edi, edi, 31
    mov dword ptr [rsp + 276], edi
    xor r11d, r15d
    rorx r13d, r8d, 27
    add r14d, eax
    mov eax, edx
    and eax, ebx
    mov r15d, edx
    xor r15d, ebx
    lea ecx, [rdi + rcx - 1894007588]
    xor r11d, r12d
    mov esi, dword ptr [rsp + 220]
    xor esi, dword ptr [rsp + 228]
    add r13d, r14d
    and r15d, r8d
    add eax, ecx
    rorx ecx, r8d, 2
    rorx r8d, r11d, 31
    mov dword ptr [rsp + 280], r8d
    xor r10d, esi
    rorx r11d, r13d, 27
    add r15d, eax
    mov eax, ecx
    and eax, edx
    mov r14d, ecx
    xor r14d, edx
    lea ebx, [r8 + rbx - 1894007588]
    xor r10d, r9d
    mov esi, dword ptr [rsp + 224]
    xor esi, dword ptr [rsp + 232]
    add r11d, r15d
    and r14d, r13d
    add eax, ebx
    rorx ebx, r13d, 2
    rorx r10d, r10d, 31
    mov dword ptr [rsp + 284], r10d
    xor esi, dword ptr [rsp + 256]
    rorx r13d, r11d, 27
    add r14d, eax
    mov eax, ebx
    and eax, ecx
    mov r15d, ebx
    xor r15d, ecx
    lea edx, [r10 + rdx - 1894007588]
    xor esi, edi
    mov edi, dword ptr [rsp + 228]
    xor edi, dword ptr [rsp + 236]
    add r13d, r14d
    and r15d, r11d
    add eax, edx
    rorx edx, r11d, 2
    rorx r11d, esi, 31
    mov dword ptr [rsp + 288], r11d
    xor edi, dword ptr [rsp + 260]
    rorx r14d, r13d, 27
    add r15d, eax
    mov eax, edx
    xor eax, ebx
    lea ecx, [r11 + rcx - 899497514]
    xor edi, r8d
    mov esi, dword ptr [rsp + 232]
    xor esi, dword ptr [rsp + 240]
    add r14d, r15d
    xor eax, r13d
    rorx r13d, r13d, 2
    rorx edi, edi, 31
    mov dword ptr [rsp + 292], edi
    xor ebp, esi
    rorx r15d, r14d, 27
    add eax, ecx
    mov ecx, r13d
    xor ecx, edx
    lea ebx, [rdi + rbx - 899497514]
    xor ebp, r10d
    mov esi, dword ptr [rsp + 236]
    xor esi, dword ptr [rsp + 244]
    add r15d, eax
    xor ecx, r14d
    rorx eax, r14d, 2
    rorx ebp, ebp, 31
    mov dword ptr [rsp + 296], ebp
    xor r12d, esi
    rorx r14d, r15d, 27
    add ecx, ebx
    mov ebx, eax
    xor ebx, r13d
    lea edx, [rbp + rdx - 899497514]
    xor r12d, r11d
    mov esi, dword ptr [rsp + 240]
    xor esi, dword ptr [rsp + 248]
    add r14d, ecx
    xor ebx, r15d
    rorx ecx, r15d, 2
    rorx r12d, r12d, 31
    mov dword ptr [rsp + 300], r12d
    xor r9d, esi
    rorx r15d, r14d, 27
    add ebx, edx
    mov edx, ecx
    xor edx, eax
    lea r13d, [r12 + r13 - 899497514]
    xor r9d, edi
    mov esi, dword ptr [rsp + 244]
    xor esi, dword ptr [rsp + 252]
    add r15d, ebx
    xor edx, r14d
    rorx ebx, r14d, 2
    rorx r9d, r9d, 31
    mov dword ptr [rsp + 304], r9d
    xor esi, dword ptr [rsp + 276]
    rorx r14d, r15d, 27
    add edx, r13d
    mov r13d, ebx
    xor r13d, ecx
    lea eax, [r9 + rax - 899497514]
    xor esi, ebp
    mov ebp, dword ptr [rsp + 248]
    xor ebp, dword ptr [rsp + 256]
    add r14d, edx
    xor r13d, r15d
    rorx edx, r15d, 2
    rorx r15d, esi, 31
    mov dword ptr [rsp + 308], r15d
    xor r8d, ebp
    rorx ebp, r14d, 27
    add r13d, eax
    mov eax, edx
    xor eax, ebx
    lea ecx, [r15 + rcx - 899497514]
    xor r8d, r12d
    mov esi, dword ptr [rsp + 252]
    xor esi, dword ptr [rsp + 260]
    add ebp, r13d
    xor eax, r14d
    rorx r13d, r14d, 2
    rorx r8d, r8d, 31
    mov dword ptr [rsp + 312], r8d
    xor r10d, esi
    rorx r14d, ebp, 27
    add eax, ecx
    mov ecx, r13d
    xor ecx, edx
    lea ebx, [r8 + rbx - 899497514]
    xor r10d, r9d
    mov esi, dword ptr [rsp + 256]
    xor esi, dword ptr [rsp + 264]
    add r14d, eax
    xor ecx, ebp
    rorx eax, ebp, 2
    rorx ebp, r10d, 31
    mov dword ptr [rsp + 316], ebp
    xor r11d, esi
    rorx r10d, r14d, 27
    add ecx, ebx
    mov ebx, eax
    xor ebx, r13d
    lea edx, [rbp + rdx - 899497514]
    xor r11d, r15d
    mov esi, dword ptr [rsp + 260]
    xor esi, dword ptr [rsp + 268]
    add r10d, ecx
    xor ebx, r14d
    rorx ecx, r14d, 2
    rorx r11d, r11d, 31
    mov dword ptr [rsp + 320], r11d
    xor edi, esi
    rorx r14d, r10d, 27
    add ebx, edx
    mov edx, ecx
    xor edx, eax
    lea r13d, [r11 + r13 - 899497514]
    xor edi, r8d
    mov esi, dword ptr [rsp + 264]
    xor esi, dword ptr [rsp + 272]
    add r14d, ebx
    xor edx, r10d
    rorx ebx, r10d, 2
    rorx edi, edi, 31
    mov dword ptr [rsp + 324], edi
    xor esi, dword ptr [rsp + 296]
    rorx r10d, r14d, 27
    add edx, r13d
    mov r13d, ebx
    xor r13d, ecx
    lea eax, [rdi + rax - 899497514]
    xor esi, ebp
    mov ebp, dword ptr [rsp + 268]
    xor ebp, dword ptr [rsp + 276]
    add r10d, edx
    xor r13d, r14d
    rorx edx, r14d, 2
    rorx r14d, esi, 31
    mov dword ptr [rsp + 328], r14d
    xor r12d, ebp
    rorx ebp, r10d, 27
    add r13d, eax
    mov eax, edx
    xor eax, ebx
    lea ecx, [r14 + rcx - 899497514]
    xor r12d, r11d
    mov esi, dword ptr [rsp + 272]
    xor esi, dword ptr [rsp + 280]
    add ebp, r13d
    xor eax, r10d
    rorx r10d, r10d, 2
    rorx r12d, r12d, 31
    mov dword ptr [rsp + 332], r12d
    xor r9d, esi
    rorx r13d, ebp, 27
    add eax, ecx
    mov ecx, r10d
    xor ecx, edx
    lea ebx, [r12 + rbx - 899497514]
    xor r9d, edi
    mov esi, dword ptr [rsp + 276]
    xor esi, dword ptr [rsp + 284]
    add r13d, eax
    xor ecx, ebp
    rorx eax, ebp, 2
    rorx ebp, r9d, 31
    mov dword ptr [rsp + 336], ebp
    xor r15d, esi
    rorx r9d, r13d, 27
    add ecx, ebx
    mov ebx, eax
    xor ebx, r10d
    lea edx, [rbp + rdx - 899497514]
    xor r15d, r14d
    mov esi, dword ptr [rsp + 280]
    xor esi, dword ptr [rsp + 288]
    add r9d, ecx
    xor ebx, r13d
    rorx ecx, r13d, 2
    rorx r13d, r15d, 31
    mov dword ptr [rsp + 340], r13d
    xor r8d, esi
    rorx r15d, r9d, 27
    add ebx, edx
    mov edx, ecx
    xor edx, eax
    lea r10d, [r13 + r10 - 899497514]
    xor r8d, r12d
    mov esi, dword ptr [rsp + 284]
    xor esi, dword ptr [rsp + 292]
    add r15d, ebx
    xor edx, r9d
    rorx ebx, r9d, 2
    rorx r8d, r8d, 31
    mov dword ptr [rsp + 344], r8d
    xor esi, dword ptr [rsp + 316]
    rorx r9d, r15d, 27
    add edx, r10d
    mov r10d, ebx
    xor r10d, ecx
    lea eax, [r8 + rax - 899497514]
    xor ebp, esi
    mov esi, dword ptr [rsp + 288]
    xor esi, dword ptr [rsp + 296]
    add r9d, edx
    xor r10d, r15d
    rorx edx, r15d, 2
    rorx ebp, ebp, 31
    mov dword ptr [rsp + 348], ebp
    xor r11d, esi
    rorx r15d, r9d, 27
    add r10d, eax
    mov eax, edx
    xor eax, ebx
    lea ecx, [rbp + rcx - 899497514]
    xor r13d, r11d
    mov r11d, dword ptr [rsp + 292]
    xor r11d, dword ptr [rsp + 300]
    add r15d, r10d
    xor eax, r9d
    rorx r9d, r9d, 2
    rorx r10d, r13d, 31
    mov dword ptr [rsp + 352], r10d
    xor edi, r11d
    rorx r11d, r15d, 27
    add eax, ecx
    mov ecx, r9d
    xor ecx, edx
    lea ebx, [r10 + rbx - 899497514]
    xor r8d, edi
    mov edi, dword ptr [rsp + 296]
    xor edi, dword ptr [rsp + 304]
    add r11d, eax
    xor ecx, r15d
    rorx eax, r15d, 2
    rorx r8d, r8d, 31
    xor r14d, edi
    rorx edi, r11d, 27
    add ecx, ebx
    mov ebx, eax
    xor ebx, r9d
    lea edx, [r8 + rdx - 899497514]
    xor ebp, r14d
    mov r8d, dword ptr [rsp + 300]
    xor r8d, dword ptr [rsp + 308]
    add edi, ecx
    xor ebx, r11d
    rorx ecx, r11d, 2
    rorx ebp, ebp, 31
    xor r12d, r8d
    rorx r8d, edi, 27
    add ebx, edx
    mov edx, ecx
    xor edx, eax
    lea ebp, [rbp + r9 - 899497514]
    xor r10d, r12d
    add r8d, ebx
    xor edx, edi
    rorx ebx, edi, 2
    rorx edi, r10d, 31
    rorx r9d, r8d, 27
    add edx, ebp
    mov ebp, ebx
    xor ebp, ecx
    lea eax, [rdi + rax - 899497514]
    add r9d, edx
    xor ebp, r8d
    rorx edx, r8d, 2
    rorx edi, r9d, 27
    add ebp, eax
    add edi, ebp
    add edi, dword ptr [rsp]
    add r9d, dword ptr [rsp + 4]
    add edx, dword ptr [rsp + 8]
    add ebx, dword ptr [rsp + 12]
    add ecx, dword ptr [rsp + 16]
    mov dword ptr [rsp], edi
    mov dword ptr [rsp + 4], r9d
    mov dword ptr [rsp + 8], edx
    mov dword ptr [rsp + 12], ebx
    mov dword ptr [rsp + 16], ecx
    mov eax, edi
    mov ebp, ecx
    mov ecx, r9d
    sub qword ptr [rsp + 40], 1
    jnz .Lsha1_bmi2_block
    mov rsi, qword ptr [rsp + 24]
    mov dword ptr [rsi], eax
    mov dword ptr [rsi + 4], ecx
    mov dword ptr [rsi + 8], edx
    mov dword ptr [rsi + 12], ebx
    mov dword ptr [rsi + 16], ebp
    add rsp, 368
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
.Lsha1_bmi2_end:
    ret
    .cfi_endproc
