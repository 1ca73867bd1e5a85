    .cfi_startproc
    test rdx, rdx
    jz .Lsha1_x86_64_end
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
.Lsha1_x86_64_block:
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
    mov edi, ebx
    xor edi, edx
    and edi, ecx
    mov r8d, dword ptr [rsp + 48]
    lea ebp, [rbp + r8 + 1518500249]
    ror ecx, 2
    xor edi, ebx
    mov r8d, ecx
    xor r8d, edx
    mov r9d, eax
    ror r9d, 27
    add edi, ebp
    and r8d, eax
    mov ebp, dword ptr [rsp + 52]
    lea ebx, [rbx + rbp + 1518500249]
    ror eax, 2
    xor r8d, edx
    add r9d, edi
    mov ebp, eax
    xor ebp, ecx
    add r8d, ebx
    mov ebx, r9d
    ror ebx, 27
    and ebp, r9d
    mov edi, dword ptr [rsp + 56]
    lea edx, [rdx + rdi + 1518500249]
    ror r9d, 2
    add r8d, ebx
    xor ebp, ecx
    mov ebx, r9d
    xor ebx, eax
    add edx, ebp
    mov ebp, r8d
    ror ebp, 27
    and ebx, r8d
    mov edi, dword ptr [rsp + 60]
    lea ecx, [rdi + rcx + 1518500249]
    ror r8d, 2
    add edx, ebp
    xor ebx, eax
    mov ebp, r8d
    xor ebp, r9d
    add ecx, ebx
    mov ebx, edx
    ror ebx, 27
    and ebp, edx
    mov edi, dword ptr [rsp + 64]
    lea eax, [rdi + rax + 1518500249]
    ror edx, 2
    add ecx, ebx
    xor ebp, r9d
    mov ebx, edx
    xor ebx, r8d
    add eax, ebp
    mov ebp, ecx
    ror ebp, 27
    and ebx, ecx
    mov edi, dword ptr [rsp + 68]
    lea edi, [rdi + r9 + 1518500249]
    ror ecx, 2
    add eax, ebp
    xor ebx, r8d
    mov ebp, ecx
    xor ebp, edx
    add ebx, edi
    mov edi, eax
    ror edi, 27
    and ebp, eax
    mov r9d, dword ptr [rsp + 72]
    lea r8d, [r9 + r8 + 1518500249]
    ror eax, 2
    add ebx, edi
    xor ebp, edx
    mov edi, eax
    xor edi, ecx
    add ebp, r8d
    mov r8d, ebx
    ror r8d, 27
    and edi, ebx
    mov r9d, dword ptr [rsp + 76]
    lea edx, [r9 + rdx + 1518500249]
    ror ebx, 2
    add ebp, r8d
    xor edi, ecx
    mov r8d, ebx
    xor r8d, eax
    add edi, edx
    mov edx, ebp
    ror edx, 27
    and r8d, ebp
    mov r9d, dword ptr [rsp + 80]
    lea ecx, [r9 + rcx + 1518500249]
    ror ebp, 2
    add edi, edx
    xor r8d, eax
    mov edx, ebp
    xor edx, ebx
    add r8d, ecx
    mov ecx, edi
    ror ecx, 27
    and edx, edi
    mov r10d, dword ptr [rsp + 84]
    lea eax, [r10 + rax + 1518500249]
    ror edi, 2
    add r8d, ecx
    xor edx, ebx
    mov ecx, edi
    xor ecx, ebp
    add edx, eax
    mov eax, r8d
    ror eax, 27
    and ecx, r8d
    mov r11d, dword ptr [rsp + 88]
    lea ebx, [r11 + rbx + 1518500249]
    ror r8d, 2
    add edx, eax
    xor ecx, ebp
    mov eax, r8d
    xor eax, edi
    add ecx, ebx
    mov ebx, edx
    ror ebx, 27
    and eax, edx
    mov r12d, dword ptr [rsp + 92]
    lea ebp, [r12 + rbp + 1518500249]
    ror edx, 2
    add ecx, ebx
    xor eax, edi
    mov ebx, edx
    xor ebx, r8d
    add eax, ebp
    mov ebp, ecx
    ror ebp, 27
    and ebx, ecx
    mov r12d, dword ptr [rsp + 96]
    lea edi, [r12 + rdi + 1518500249]
    ror ecx, 2
    add eax, ebp
    xor ebx, r8d
    mov ebp, ecx
    xor ebp, edx
    add ebx, edi
    mov edi, eax
    ror edi, 27
    and ebp, eax
    mov r12d, dword ptr [rsp + 100]
    lea r8d, [r12 + r8 + 1518500249]
    ror eax, 2
    add ebx, edi
    xor ebp, edx
    mov edi, eax
    xor edi, ecx
    add ebp, r8d
    mov r8d, ebx
    ror r8d, 27
    and edi, ebx
    mov r13d, dword ptr [rsp + 104]
    lea edx, [r13 + rdx + 1518500249]
    ror ebx, 2
    xor r9d, dword ptr [rsp + 56]
    add ebp, r8d
    xor edi, ecx
    mov r8d, ebx
    xor r8d, eax
    xor r9d, dword ptr [rsp + 48]
    add edi, edx
    mov edx, ebp
    ror edx, 27
    and r8d, ebp
    mov r14d, dword ptr [rsp + 108]
    lea ecx, [r14 + rcx + 1518500249]
    ror ebp, 2
    xor r9d, r12d
    xor r10d, dword ptr [rsp + 60]
    add edi, edx
    xor r8d, eax
    mov edx, ebp
    xor edx, ebx
    ror r9d, 31
    mov dword ptr [rsp + 112], r9d
    xor r10d, dword ptr [rsp + 52]
    add r8d, ecx
    mov ecx, edi
    ror ecx, 27
    and edx, edi
    lea eax, [r9 + rax + 1518500249]
    ror edi, 2
    xor r10d, r13d
    xor r11d, dword ptr [rsp + 64]
    add r8d, ecx
    xor edx, ebx
    mov ecx, edi
    xor ecx, ebp
    ror r10d, 31
    mov dword ptr [rsp + 116], r10d
    xor r11d, dword ptr [rsp + 56]
    add edx, eax
    mov eax, r8d
    ror eax, 27
    and ecx, r8d
    lea ebx, [r10 + rbx + 1518500249]
    ror r8d, 2
    xor r11d, r14d
    mov r15d, dword ptr [rsp + 68]
    xor r15d, dword ptr [rsp + 92]
    add edx, eax
    xor ecx, ebp
    mov eax, r8d
    xor eax, edi
    ror r11d, 31
    mov dword ptr [rsp + 120], r11d
    xor r15d, dword ptr [rsp + 60]
    add ecx, ebx
    mov ebx, edx
    ror ebx, 27
    and eax, edx
    lea ebp, [r11 + rbp + 1518500249]
    ror edx, 2
    xor r15d, r9d
    mov esi, dword ptr [rsp + 72]
    xor esi, dword ptr [rsp + 96]
    add ecx, ebx
    xor eax, edi
    mov ebx, edx
    xor ebx, r8d
    ror r15d, 31
    mov dword ptr [rsp + 124], r15d
    xor esi, dword ptr [rsp + 64]
    add eax, ebp
    mov ebp, ecx
    ror ebp, 27
    and ebx, ecx
    lea edi, [r15 + rdi + 1518500249]
    ror ecx, 2
    xor esi, r10d
    xor r12d, dword ptr [rsp + 76]
    add eax, ebp
    xor ebx, r8d
    mov ebp, ecx
    xor ebp, edx
    ror esi, 31
    mov dword ptr [rsp + 128], esi
    xor r12d, dword ptr [rsp + 68]
    add ebx, edi
    mov edi, eax
    ror edi, 27
    lea r8d, [rsi + r8 + 1859775393]
    mov r10d, eax
    ror r10d, 2
    xor r12d, r11d
    xor r13d, dword ptr [rsp + 80]
    add ebx, edi
    xor eax, ebp
    mov ebp, r10d
    xor ebp, ecx
    ror r12d, 31
    mov dword ptr [rsp + 132], r12d
    xor r13d, dword ptr [rsp + 72]
    add eax, r8d
    mov edi, ebx
    ror edi, 27
    lea edx, [r12 + rdx + 1859775393]
    mov r8d, ebx
    ror r8d, 2
    xor r13d, r15d
    xor r14d, dword ptr [rsp + 84]
    add eax, edi
    xor ebx, ebp
    mov ebp, r8d
    xor ebp, r10d
    ror r13d, 31
    mov dword ptr [rsp + 136], r13d
    xor r14d, dword ptr [rsp + 76]
    add ebx, edx
    mov edx, eax
    ror edx, 27
    lea ecx, [r13 + rcx + 1859775393]
    mov edi, eax
    ror edi, 2
    xor r14d, esi
    xor r9d, dword ptr [rsp + 88]
    add ebx, edx
    xor eax, ebp
    mov edx, edi
    xor edx, r8d
    ror r14d, 31
    mov dword ptr [rsp + 140], r14d
    xor r9d, dword ptr [rsp + 80]
    add eax, ecx
    mov ecx, ebx
    ror ecx, 27
    lea ebp, [r14 + r10 + 1859775393]
    mov r10d, ebx
    ror r10d, 2
    xor r9d, r12d
    mov r12d, dword ptr [rsp + 92]
    xor r12d, dword ptr [rsp + 116]
    add eax, ecx
    xor ebx, edx
    mov ecx, r10d
    xor ecx, edi
    ror r9d, 31
    mov dword ptr [rsp + 144], r9d
    xor r12d, dword ptr [rsp + 84]
    add ebx, ebp
    mov edx, eax
    ror edx, 27
    lea ebp, [r9 + r8 + 1859775393]
    mov r8d, eax
    ror r8d, 2
    xor r12d, r13d
    xor r11d, dword ptr [rsp + 96]
    add ebx, edx
    xor eax, ecx
    mov ecx, r8d
    xor ecx, r10d
    ror r12d, 31
    mov dword ptr [rsp + 148], r12d
    xor r11d, dword ptr [rsp + 88]
    add eax, ebp
    mov edx, ebx
    ror edx, 27
    lea ebp, [r12 + rdi + 1859775393]
    mov edi, ebx
    ror edi, 2
    xor r11d, r14d
    xor r15d, dword ptr [rsp + 100]
    add eax, edx
    xor ebx, ecx
    mov ecx, edi
    xor ecx, r8d
    ror r11d, 31
    mov dword ptr [rsp + 152], r11d
    xor r15d, dword ptr [rsp + 92]
    add ebx, ebp
    mov edx, eax
    ror edx, 27
    lea ebp, [r11 + r10 + 1859775393]
    mov r10d, eax
    ror r10d, 2
    xor r15d, r9d
    xor esi, dword ptr [rsp + 104]
    add ebx, edx
    xor eax, ecx
    mov ecx, r10d
    xor ecx, edi
    ror r15d, 31
    mov dword ptr [rsp + 156], r15d
    xor esi, dword ptr [rsp + 96]
    add eax, ebp
    mov edx, ebx
    ror edx, 27
    lea ebp, [r15 + r8 + 1859775393]
    mov r8d, ebx
    ror r8d, 2
    xor esi, r12d
    mov r12d, dword ptr [rsp + 108]
    xor r12d, dword ptr [rsp + 132]
    add eax, edx
    xor ebx, ecx
    mov ecx, r8d
    xor ecx, r10d
    ror esi, 31
    mov dword ptr [rsp + 160], esi
    xor r12d, dword ptr [rsp + 100]
    add ebx, ebp
    mov edx, eax
    ror edx, 27
    lea ebp, [rsi + rdi + 1859775393]
    mov edi, eax
    ror edi, 2
    xor r12d, r11d
    xor r13d, dword ptr [rsp + 112]
    add ebx, edx
    xor eax, ecx
    mov ecx, edi
    xor ecx, r8d
    ror r12d, 31
    mov dword ptr [rsp + 164], r12d
    xor r13d, dword ptr [rsp + 104]
    add eax, ebp
    mov edx, ebx
    ror edx, 27
    lea ebp, [r12 + r10 + 1859775393]
    mov r10d, ebx
    ror r10d, 2
    xor r13d, r15d
    xor r14d, dword ptr [rsp + 116]
    add eax, edx
    xor ebx, ecx
    mov ecx, r10d
    xor ecx, edi
    ror r13d, 31
    mov dword ptr [rsp + 168], r13d
    xor r14d, dword ptr [rsp + 108]
    add ebx, ebp
    mov edx, eax
    ror edx, 27
    mov ebp, dword ptr [rsp + 112]
    xor ebp, dword ptr [rsp + 120]
    lea r8d, [r13 + r8 + 1859775393]
    mov r15d, eax
    ror r15d, 2
    xor r14d, esi
    add ebx, edx
    xor eax, ecx
    xor r9d, ebp
    mov ecx, r15d
    xor ecx, r10d
    ror r14d, 31
    mov dword ptr [rsp + 172], r14d
    add eax, r8d
    mov edx, ebx
    ror edx, 27
    xor r9d, r12d
    mov ebp, dword ptr [rsp + 116]
    xor ebp, dword ptr [rsp + 124]
    lea edi, [r14 + rdi + 1859775393]
    mov r8d, ebx
    ror r8d, 2
    add eax, edx
    xor ebx, ecx
    ror r9d, 31
    mov dword ptr [rsp + 176], r9d
    xor ebp, dword ptr [rsp + 148]
    mov ecx, r8d
    xor ecx, r15d
    add ebx, edi
    mov edx, eax
    ror edx, 27
    xor ebp, r13d
    mov edi, dword ptr [rsp + 120]
    xor edi, dword ptr [rsp + 128]
    lea r10d, [r9 + r10 + 1859775393]
    mov r13d, eax
    ror r13d, 2
    add ebx, edx
    xor eax, ecx
    ror ebp, 31
    mov dword ptr [rsp + 180], ebp
    xor edi, r11d
    mov ecx, r13d
    xor ecx, r8d
    add eax, r10d
    mov edx, ebx
    ror edx, 27
    xor edi, r14d
    mov r10d, dword ptr [rsp + 124]
    xor r10d, dword ptr [rsp + 132]
    lea r15d, [rbp + r15 + 1859775393]
    mov r11d, ebx
    ror r11d, 2
    add eax, edx
    xor ebx, ecx
    ror edi, 31
    mov dword ptr [rsp + 184], edi
    xor r10d, dword ptr [rsp + 156]
    mov ecx, r11d
    xor ecx, r13d
    add ebx, r15d
    mov edx, eax
    ror edx, 27
    xor r10d, r9d
    mov r15d, dword ptr [rsp + 128]
    xor r15d, dword ptr [rsp + 136]
    lea r8d, [rdi + r8 + 1859775393]
    mov r9d, eax
    ror r9d, 2
    add ebx, edx
    xor eax, ecx
    ror r10d, 31
    mov dword ptr [rsp + 188], r10d
    xor esi, r15d
    mov ecx, r9d
    xor ecx, r11d
    add eax, r8d
    mov edx, ebx
    ror edx, 27
    xor esi, ebp
    mov r8d, dword ptr [rsp + 132]
    xor r8d, dword ptr [rsp + 140]
    lea r13d, [r10 + r13 + 1859775393]
    mov r15d, ebx
    ror r15d, 2
    add eax, edx
    xor ebx, ecx
    ror esi, 31
    mov dword ptr [rsp + 192], esi
    xor r12d, r8d
    mov ecx, r15d
    xor ecx, r9d
    add ebx, r13d
    mov edx, eax
    ror edx, 27
    xor r12d, edi
    mov r8d, dword ptr [rsp + 136]
    xor r8d, dword ptr [rsp + 144]
    lea r11d, [rsi + r11 + 1859775393]
    mov r13d, eax
    ror r13d, 2
    add ebx, edx
    xor eax, ecx
    ror r12d, 31
    mov dword ptr [rsp + 196], r12d
    xor r8d, dword ptr [rsp + 168]
    mov ecx, r13d
    xor ecx, r15d
    add eax, r11d
    mov edx, ebx
    ror edx, 27
    xor r8d, r10d
    mov r11d, dword ptr [rsp + 140]
    xor r11d, dword ptr [rsp + 148]
    lea r9d, [r12 + r9 + 1859775393]
    mov r10d, ebx
    ror r10d, 2
    add eax, edx
    xor ebx, ecx
    ror r8d, 31
    mov dword ptr [rsp + 200], r8d
    xor r14d, r11d
    mov ecx, r10d
    xor ecx, r13d
    add ebx, r9d
    mov edx, eax
    ror edx, 27
    xor r14d, esi
    mov r9d, dword ptr [rsp + 144]
    xor r9d, dword ptr [rsp + 152]
    lea r11d, [r8 + r15 + 1859775393]
    mov r15d, eax
    ror r15d, 2
    add ebx, edx
    xor eax, ecx
    ror r14d, 31
    mov dword ptr [rsp + 204], r14d
    xor r9d, dword ptr [rsp + 176]
    mov ecx, r15d
    xor ecx, r10d
    add eax, r11d
    mov edx, ebx
    ror edx, 27
    xor r9d, r12d
    mov r11d, dword ptr [rsp + 148]
    xor r11d, dword ptr [rsp + 156]
    lea r13d, [r14 + r13 + 1859775393]
    mov r12d, ebx
    ror r12d, 2
    add eax, edx
    xor ebx, ecx
    ror r9d, 31
    mov dword ptr [rsp + 208], r9d
    xor ebp, r11d
    mov ecx, r12d
    xor ecx, r15d
    add ebx, r13d
    mov edx, eax
    ror edx, 27
    mov r11d, r12d
    and r11d, r15d
    and ecx, eax
    xor ebp, r8d
    mov r13d, dword ptr [rsp + 152]
    xor r13d, dword ptr [rsp + 160]
    lea r10d, [r9 + r10 - 1894007588]
    ror eax, 2
    add ebx, edx
    add r11d, r10d
    ror ebp, 31
    mov dword ptr [rsp + 212], ebp
    xor edi, r13d
    mov edx, eax
    xor edx, r12d
    mov r10d, ebx
    ror r10d, 27
    mov r13d, eax
    and r13d, r12d
    add ecx, r11d
    and edx, ebx
    xor edi, r14d
    mov r11d, dword ptr [rsp + 156]
    xor r11d, dword ptr [rsp + 164]
    lea r15d, [rbp + r15 - 1894007588]
    ror ebx, 2
    add r10d, ecx
    add r13d, r15d
    ror edi, 31
    mov dword ptr [rsp + 216], edi
    xor r11d, dword ptr [rsp + 188]
    mov ecx, ebx
    xor ecx, eax
    mov r15d, ebx
    and r15d, eax
    mov r14d, r10d
    ror r14d, 27
    add edx, r13d
    and ecx, r10d
    xor r11d, r9d
    mov r13d, dword ptr [rsp + 160]
    xor r13d, dword ptr [rsp + 168]
    lea r12d, [rdi + r12 - 1894007588]
    ror r10d, 2
    add r14d, edx
    add r15d, r12d
    ror r11d, 31
    mov dword ptr [rsp + 220], r11d
    xor esi, r13d
    mov edx, r10d
    xor edx, ebx
    mov r12d, r14d
    ror r12d, 27
    add ecx, r15d
    mov r13d, r10d
    and r13d, ebx
    and edx, r14d
    xor esi, ebp
    mov r15d, dword ptr [rsp + 164]
    xor r15d, dword ptr [rsp + 172]
    lea eax, [r11 + rax - 1894007588]
    ror r14d, 2
    add r12d, ecx
    add eax, r13d
    ror esi, 31
    mov dword ptr [rsp + 224], esi
    xor r15d, dword ptr [rsp + 196]
    mov ecx, r14d
    xor ecx, r10d
    mov r13d, r12d
    ror r13d, 27
    add edx, eax
    mov eax, r14d
    and eax, r10d
    and ecx, r12d
    xor r15d, edi
    mov edi, dword ptr [rsp + 168]
    xor edi, dword ptr [rsp + 176]
    lea ebx, [rsi + rbx - 1894007588]
    ror r12d, 2
    add r13d, edx
    add ebx, eax
    ror r15d, 31
    mov dword ptr [rsp + 228], r15d
    xor r8d, edi
    mov eax, r12d
    xor eax, r14d
    mov edx, r13d
    ror edx, 27
    add ecx, ebx
    mov ebx, r12d
    and ebx, r14d
    and eax, r13d
    xor r8d, r11d
    mov edi, dword ptr [rsp + 172]
    xor edi, dword ptr [rsp + 180]
    lea r10d, [r15 + r10 - 1894007588]
    ror r13d, 2
    add edx, ecx
    add ebx, r10d
    ror r8d, 31
    mov dword ptr [rsp + 232], r8d
    xor edi, dword ptr [rsp + 204]
    mov ecx, r13d
    xor ecx, r12d
    mov r10d, edx
    ror r10d, 27
    add eax, ebx
    mov ebx, r13d
    and ebx, r12d
    and ecx, edx
    xor edi, esi
    mov esi, dword ptr [rsp + 176]
    xor esi, dword ptr [rsp + 184]
    lea r14d, [r8 + r14 - 1894007588]
    ror edx, 2
    add r10d, eax
    add ebx, r14d
    ror edi, 31
    mov dword ptr [rsp + 236], edi
    xor r9d, esi
    mov eax, edx
    xor eax, r13d
    mov r14d, r10d
    ror r14d, 27
    add ecx, ebx
    mov ebx, edx
    and ebx, r13d
    and eax, r10d
    xor r9d, r15d
    mov esi, dword ptr [rsp + 180]
    xor esi, dword ptr [rsp + 188]
    lea r12d, [rdi + r12 - 1894007588]
    ror r10d, 2
    add r14d, ecx
    add ebx, r12d
    ror r9d, 31
    mov dword ptr [rsp + 240], r9d
    xor ebp, esi
    mov ecx, r10d
    xor ecx, edx
    mov r12d, r14d
    ror r12d, 27
    add eax, ebx
    mov ebx, r10d
    and ebx, edx
    and ecx, r14d
    xor ebp, r8d
    mov esi, dword ptr [rsp + 184]
    xor esi, dword ptr [rsp + 192]
    lea r13d, [r9 + r13 - 1894007588]
    ror r14d, 2
    add r12d, eax
    add ebx, r13d
    ror ebp, 31
    mov dword ptr [rsp + 244], ebp
    xor esi, dword ptr [rsp + 216]
    mov eax, r14d
    xor eax, r10d
    mov r13d, r12d
    ror r13d, 27
    add ecx, ebx
    mov ebx, r14d
    and ebx, r10d
    and eax, r12d
    xor esi, edi
    mov edi, dword ptr [rsp + 188]
    xor edi, dword ptr [rsp + 196]
    lea edx, [rbp + rdx - 1894007588]
    ror r12d, 2
    add r13d, ecx
    add ebx, edx
    ror esi, 31
    mov dword ptr [rsp + 248], esi
    xor r11d, edi
    mov ecx, r12d
    xor ecx, r14d
    mov edx, r13d
    ror edx, 27
    add eax, ebx
    mov ebx, r12d
    and ebx, r14d
    and ecx, r13d
    xor r11d, r9d
    mov edi, dword ptr [rsp + 192]
    xor edi, dword ptr [rsp + 200]
    lea r10d, [rsi + r10 - 1894007588]
    ror r13d, 2
    add edx, eax
    add ebx, r10d
    ror r11d, 31
    mov dword ptr [rsp + 252], r11d
    xor edi, dword ptr [rsp + 224]
    mov eax, r13d
    xor eax, r12d
    mov r10d, edx
    ror r10d, 27
    add ecx, ebx
    mov ebx, r13d
    and ebx, r12d
    and eax, edx
    xor edi, ebp
    mov ebp, dword ptr [rsp + 196]
    xor ebp, dword ptr [rsp + 204]
    lea r14d, [r11 + r14 - 1894007588]
    ror edx, 2
    add r10d, ecx
    add ebx, r14d
    ror edi, 31
    mov dword ptr [rsp + 256], edi
    xor r15d, ebp
    mov ecx, edx
    xor ecx, r13d
    mov ebp, r10d
    ror ebp, 27
    add eax, ebx
    mov ebx, edx
    and ebx, r13d
    and ecx, r10d
    xor r15d, esi
    mov r14d, dword ptr [rsp + 200]
    xor r14d, dword ptr [rsp + 208]
    lea r12d, [rdi + r12 - 1894007588]
    ror r10d, 2
    add ebp, eax
    add ebx, r12d
    ror r15d, 31
    mov dword ptr [rsp + 260], r15d
    xor r8d, r14d
    mov eax, r10d
    xor eax, edx
    mov r12d, ebp
    ror r12d, 27
    add ecx, ebx
    mov ebx, r10d
    and ebx, edx
    and eax, ebp
    xor r8d, r11d
    mov r14d, dword ptr [rsp + 204]
    xor r14d, dword ptr [rsp + 212]
    lea r13d, [r15 + r13 - 1894007588]
    ror ebp, 2
    add r12d, ecx
    add ebx, r13d
    ror r8d, 31
    mov dword ptr [rsp + 264], r8d
    xor r14d, dword ptr [rsp + 236]
    mov ecx, ebp
    xor ecx, r10d
    mov r13d, r12d
    ror r13d, 27
    add eax, ebx
    mov ebx, ebp
    and ebx, r10d
    and ecx, r12d
    xor r14d, edi
    mov edi, dword ptr [rsp + 208]
    xor edi, dword ptr [rsp + 216]
    lea edx, [r8 + rdx - 1894007588]
    ror r12d, 2
    add r13d, eax
    add ebx, edx
    ror r14d, 31
    mov dword ptr [rsp + 268], r14d
    xor r9d, edi
    mov eax, r12d
    xor eax, ebp
    mov edx, r13d
    ror edx, 27
    add ecx, ebx
    mov ebx, r12d
    and ebx, ebp
    and eax, r13d
    xor r9d, r15d
    mov edi, dword ptr [rsp + 212]
    xor edi, dword ptr [rsp + 220]
    lea r10d, [r14 + r10 - 1894007588]
    ror r13d, 2
    add edx, ecx
    add ebx, r10d
    ror r9d, 31
    mov dword ptr [rsp + 272], r9d
    xor edi, dword ptr [rsp + 244]
    mov ecx, r13d
    xor ecx, r12d
    mov r10d, edx
    ror r10d, 27
    add eax, ebx
    mov ebx, r13d
    and ebx, r12d
    and ecx, edx
    xor edi, r8d
    mov r8d, dword ptr [rsp + 216]
    xor r8d, dword ptr [rsp + 224]
    lea ebp, [r9 + rbp - 1894007588]
    ror edx, 2
    add r10d, eax
    add ebx, ebp
    ror edi, 31
    mov dword ptr [rsp + 276], edi
    xor esi, r8d
    mov eax, edx
    xor eax, r13d
    mov ebp, r10d
    ror ebp, 27
    add ecx, ebx
    mov ebx, edx
    and ebx, r13d
    and eax, r10d
    xor esi, r14d
    mov r8d, dword ptr [rsp + 220]
    xor r8d, dword ptr [rsp + 228]
    lea r12d, [rdi + r12 - 1894007588]
    ror r10d, 2
    add ebp, ecx
    add ebx, r12d
    ror esi, 31
    mov dword ptr [rsp + 280], esi
    xor r11d, r8d
    mov ecx, r10d
    xor ecx, edx
    mov r8d, ebp
    ror r8d, 27
    add eax, ebx
    mov ebx, r10d
    and ebx, edx
    and ecx, ebp
    xor r11d, r9d
    mov r12d, dword ptr [rsp + 224]
    xor r12d, dword ptr [rsp + 232]
    lea r13d, [rsi + r13 - 1894007588]
    ror ebp, 2
    add r8d, eax
    add ebx, r13d
    ror r11d, 31
    mov dword ptr [rsp + 284], r11d
    xor r12d, dword ptr [rsp + 256]
    mov eax, ebp
    xor eax, r10d
    mov r13d, r8d
    ror r13d, 27
    add ecx, ebx
    mov ebx, ebp
    and ebx, r10d
    and eax, r8d
    xor r12d, edi
    mov edi, dword ptr [rsp + 228]
    xor edi, dword ptr [rsp + 236]
    lea edx, [r11 + rdx - 1894007588]
    ror r8d, 2
    add r13d, ecx
    add ebx, edx
    ror r12d, 31
    mov dword ptr [rsp + 288], r12d
    xor edi, r15d
    mov ecx, r8d
    xor ecx, ebp
    mov edx, r13d
    ror edx, 27
    add eax, ebx
    xor edi, esi
    mov ebx, dword ptr [rsp + 232]
    xor ebx, dword ptr [rsp + 240]
    lea r10d, [r12 + r10 - 899497514]
    mov r15d, r13d
    ror r15d, 2
    add edx, eax
    xor r13d, ecx
    ror edi, 31
    mov dword ptr [rsp + 292], edi
    xor ebx, dword ptr [rsp + 264]
    mov eax, r15d
    xor eax, r8d
    mov ecx, edx
    ror ecx, 27
    add r13d, r10d
    xor ebx, r11d
    mov r10d, dword ptr [rsp + 236]
    xor r10d, dword ptr [rsp + 244]
    lea ebp, [rdi + rbp - 899497514]
    mov r11d, edx
    ror r11d, 2
    add ecx, r13d
    xor edx, eax
    ror ebx, 31
    mov dword ptr [rsp + 296], ebx
    xor r10d, r14d
    mov eax, r11d
    xor eax, r15d
    mov r13d, ecx
    ror r13d, 27
    add edx, ebp
    xor r10d, r12d
    mov ebp, dword ptr [rsp + 240]
    xor ebp, dword ptr [rsp + 248]
    lea r8d, [rbx + r8 - 899497514]
    mov r14d, ecx
    ror r14d, 2
    add r13d, edx
    xor ecx, eax
    ror r10d, 31
    mov dword ptr [rsp + 300], r10d
    xor ebp, r9d
    mov eax, r14d
    xor eax, r11d
    mov edx, r13d
    ror edx, 27
    add ecx, r8d
    xor ebp, edi
    mov r8d, dword ptr [rsp + 244]
    xor r8d, dword ptr [rsp + 252]
    lea r15d, [r10 + r15 - 899497514]
    mov r9d, r13d
    ror r9d, 2
    add edx, ecx
    xor r13d, eax
    ror ebp, 31
    mov dword ptr [rsp + 304], ebp
    xor r8d, dword ptr [rsp + 276]
    mov eax, r9d
    xor eax, r14d
    mov ecx, edx
    ror ecx, 27
    add r13d, r15d
    xor r8d, ebx
    mov r15d, dword ptr [rsp + 248]
    xor r15d, dword ptr [rsp + 256]
    lea r11d, [rbp + r11 - 899497514]
    mov ebx, edx
    ror ebx, 2
    add ecx, r13d
    xor edx, eax
    ror r8d, 31
    mov dword ptr [rsp + 308], r8d
    xor r15d, esi
    mov eax, ebx
    xor eax, r9d
    mov r13d, ecx
    ror r13d, 27
    add edx, r11d
    xor r15d, r10d
    mov r11d, dword ptr [rsp + 252]
    xor r11d, dword ptr [rsp + 260]
    lea r14d, [r8 + r14 - 899497514]
    mov esi, ecx
    ror esi, 2
    add r13d, edx
    xor ecx, eax
    ror r15d, 31
    mov dword ptr [rsp + 312], r15d
    xor r11d, dword ptr [rsp + 284]
    mov eax, esi
    xor eax, ebx
    mov edx, r13d
    ror edx, 27
    add ecx, r14d
    xor r11d, ebp
    mov r14d, dword ptr [rsp + 256]
    xor r14d, dword ptr [rsp + 264]
    lea r9d, [r15 + r9 - 899497514]
    mov ebp, r13d
    ror ebp, 2
    add edx, ecx
    xor r13d, eax
    ror r11d, 31
    mov dword ptr [rsp + 316], r11d
    xor r14d, r12d
    mov eax, ebp
    xor eax, esi
    mov ecx, edx
    ror ecx, 27
    add r13d, r9d
    xor r14d, r8d
    mov r9d, dword ptr [rsp + 260]
    xor r9d, dword ptr [rsp + 268]
    lea ebx, [r11 + rbx - 899497514]
    mov r12d, edx
    ror r12d, 2
    add ecx, r13d
    xor edx, eax
    ror r14d, 31
    mov dword ptr [rsp + 320], r14d
    xor r9d, edi
    mov eax, r12d
    xor eax, ebp
    mov r13d, ecx
    ror r13d, 27
    add edx, ebx
    xor r9d, r15d
    mov ebx, dword ptr [rsp + 264]
    xor ebx, dword ptr [rsp + 272]
    lea esi, [r14 + rsi - 899497514]
    mov edi, ecx
    ror edi, 2
    add r13d, edx
    xor ecx, eax
    ror r9d, 31
    mov dword ptr [rsp + 324], r9d
    xor ebx, dword ptr [rsp + 296]
    mov eax, edi
    xor eax, r12d
    mov edx, r13d
    ror edx, 27
    add ecx, esi
    xor ebx, r11d
    mov esi, dword ptr [rsp + 268]
    xor esi, dword ptr [rsp + 276]
    lea ebp, [r9 + rbp - 899497514]
    mov r11d, r13d
    ror r11d, 2
    add edx, ecx
    xor r13d, eax
    ror ebx, 31
    mov dword ptr [rsp + 328], ebx
    xor esi, r10d
    mov eax, r11d
    xor eax, edi
    mov ecx, edx
    ror ecx, 27
    add r13d, ebp
    xor esi, r14d
    mov ebp, dword ptr [rsp + 272]
    xor ebp, dword ptr [rsp + 280]
    lea r12d, [rbx + r12 - 899497514]
    mov r10d, edx
    ror r10d, 2
    add ecx, r13d
    xor edx, eax
    ror esi, 31
    mov dword ptr [rsp + 332], esi
    xor ebp, dword ptr [rsp + 304]
    mov eax, r10d
    xor eax, r11d
    mov r13d, ecx
    ror r13d, 27
    add edx, r12d
    xor ebp, r9d
    mov r12d, dword ptr [rsp + 276]
    xor r12d, dword ptr [rsp + 284]
    lea edi, [rsi + rdi - 899497514]
    mov r9d, ecx
    ror r9d, 2
    add r13d, edx
    xor ecx, eax
    ror ebp, 31
    mov dword ptr [rsp + 336], ebp
    xor r12d, r8d
    mov eax, r9d
    xor eax, r10d
    mov edx, r13d
    ror edx, 27
    add ecx, edi
    xor r12d, ebx
    mov edi, dword ptr [rsp + 280]
    xor edi, dword ptr [rsp + 288]
    lea r11d, [rbp + r11 - 899497514]
    mov r8d, r13d
    ror r8d, 2
    add edx, ecx
    xor r13d, eax
    ror r12d, 31
    mov dword ptr [rsp + 340], r12d
    xor r15d, edi
    mov eax, r8d
    xor eax, r9d
    mov ecx, edx
    ror ecx, 27
    add r13d, r11d
    xor r15d, esi
    mov edi, dword ptr [rsp + 284]
    xor edi, dword ptr [rsp + 292]
    lea r10d, [r12 + r10 - 899497514]
    mov r11d, edx
    ror r11d, 2
    add ecx, r13d
    xor edx, eax
    ror r15d, 31
    mov dword ptr [rsp + 344], r15d
    xor edi, dword ptr [rsp + 316]
    mov eax, r11d
    xor eax, r8d
    mov r13d, ecx
    ror r13d, 27
    add edx, r10d
    xor ebp, edi
    mov edi, dword ptr [rsp + 288]
    xor edi, dword ptr [rsp + 296]
    lea r9d, [r15 + r9 - 899497514]
    mov r10d, ecx
    ror r10d, 2
    add r13d, edx
    xor ecx, eax
    ror ebp, 31
    mov dword ptr [rsp + 348], ebp
    xor r14d, edi
    mov eax, r10d
    xor eax, r11d
    mov edx, r13d
    ror edx, 27
    add ecx, r9d
    xor r12d, r14d
    mov edi, dword ptr [rsp + 292]
    xor edi, dword ptr [rsp + 300]
    lea r8d, [rbp + r8 - 899497514]
    mov r9d, r13d
    ror r9d, 2
    add edx, ecx
    xor r13d, eax
    ror r12d, 31
    mov dword ptr [rsp + 352], r12d
    xor edi, dword ptr [rsp + 324]
    mov eax, r9d
    xor eax, r10d
    mov ecx, edx
    ror ecx, 27
    add r13d, r8d
    xor r15d, edi
    mov edi, dword ptr [rsp + 296]
    xor edi, dword ptr [rsp + 304]
    lea r8d, [r12 + r11 - 899497514]
    mov r11d, edx
    ror r11d, 2
    add ecx, r13d
    xor edx, eax
    ror r15d, 31
    xor ebx, edi
    mov eax, r11d
    xor eax, r9d
    mov edi, ecx
    ror edi, 27
    add edx, r8d
    xor ebp, ebx
    mov ebx, dword ptr [rsp + 300]
    xor ebx, dword ptr [rsp + 308]
    lea r8d, [r15 + r10 - 899497514]
    mov r10d, ecx
    ror r10d, 2
    add edi, edx
    xor ecx, eax
    ror ebp, 31
    xor esi, ebx
    mov eax, r10d
    xor eax, r11d
    mov edx, edi
    ror edx, 27
    add ecx, r8d
    xor r12d, esi
    lea ebx, [rbp + r9 - 899497514]
    mov ebp, edi
    ror ebp, 2
    add edx, ecx
    xor edi, eax
    ror r12d, 31
    mov eax, ebp
    xor eax, r10d
    mov ecx, edx
    ror ecx, 27
    add edi, ebx
    lea ebx, [r12 + r11 - 899497514]
    mov r8d, edx
    ror r8d, 2
    add ecx, edi
    xor edx, eax
    mov eax, ecx
    ror eax, 27
    add edx, ebx
    add eax, edx
    add eax, dword ptr [rsp]
    add ecx, dword ptr [rsp + 4]
    add r8d, dword ptr [rsp + 8]
    add ebp, dword ptr [rsp + 12]
    add r10d, dword ptr [rsp + 16]
    mov dword ptr [rsp], eax
    mov dword ptr [rsp + 4], ecx
    mov dword ptr [rsp + 8], r8d
    mov dword ptr [rsp + 12], ebp
    mov dword ptr [rsp + 16], r10d
    mov edx, r8d
    mov ebx, ebp
    mov ebp, r10d
    sub qword ptr [rsp + 40], 1
    jnz .Lsha1_x86_64_block
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
.Lsha1_x86_64_end:
    ret
    .cfi_endproc
