    .cfi_startproc
    test rdx, rdx
    jz .Lsha512_x86_64_end
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
    sub rsp, 1256
    .cfi_def_cfa_offset 1312
    mov qword ptr [rsp + 64], rdi
    mov qword ptr [rsp + 80], rdx
    mov qword ptr [rsp + 72], rsi
    mov rax, qword ptr [rdi]
    mov qword ptr [rsp], rax
    mov rcx, qword ptr [rdi + 8]
    mov qword ptr [rsp + 8], rcx
    mov rdx, qword ptr [rdi + 16]
    mov qword ptr [rsp + 16], rdx
    mov rbx, qword ptr [rdi + 24]
    mov qword ptr [rsp + 24], rbx
    mov rbp, qword ptr [rdi + 32]
    mov qword ptr [rsp + 32], rbp
    mov r8, qword ptr [rdi + 48]
    mov qword ptr [rsp + 48], r8
    mov r9, qword ptr [rdi + 56]
    mov qword ptr [rsp + 56], r9
    mov rdi, qword ptr [rdi + 40]
    mov qword ptr [rsp + 40], rdi
    .p2align 6
.Lsha512_x86_64_block:
    mov rsi, qword ptr [rsp + 72]
    mov r10, qword ptr [rsi]
    bswap r10
    mov qword ptr [rsp + 88], r10
    mov r11, qword ptr [rsi + 8]
    bswap r11
    mov qword ptr [rsp + 96], r11
    mov r12, qword ptr [rsi + 16]
    bswap r12
    mov qword ptr [rsp + 104], r12
    mov r13, qword ptr [rsi + 24]
    bswap r13
    mov qword ptr [rsp + 112], r13
    mov r14, qword ptr [rsi + 32]
    bswap r14
    mov qword ptr [rsp + 120], r14
    mov r15, qword ptr [rsi + 40]
    bswap r15
    mov qword ptr [rsp + 128], r15
    mov r10, qword ptr [rsi + 48]
    bswap r10
    mov qword ptr [rsp + 136], r10
    mov r11, qword ptr [rsi + 56]
    bswap r11
    mov qword ptr [rsp + 144], r11
    mov r12, qword ptr [rsi + 64]
    bswap r12
    mov qword ptr [rsp + 152], r12
    mov r13, qword ptr [rsi + 72]
    bswap r13
    mov qword ptr [rsp + 160], r13
    mov r14, qword ptr [rsi + 80]
    bswap r14
    mov qword ptr [rsp + 168], r14
    mov r15, qword ptr [rsi + 88]
    bswap r15
    mov qword ptr [rsp + 176], r15
    mov r10, qword ptr [rsi + 96]
    bswap r10
    mov qword ptr [rsp + 184], r10
    mov r11, qword ptr [rsi + 104]
    bswap r11
    mov qword ptr [rsp + 192], r11
    mov r12, qword ptr [rsi + 112]
    bswap r12
    mov qword ptr [rsp + 200], r12
    mov r13, qword ptr [rsi + 120]
    bswap r13
    mov qword ptr [rsp + 208], r13
    add rsi, 128
    mov qword ptr [rsp + 72], rsi
    mov r10, qword ptr [rsp + 88]
    add r10, qword ptr [rip + .Lsha512_x86_64_k]
    mov r11, r8
    xor r11, rdi
    mov r12, rbp
    ror r12, 14
    mov r13, rbp
    ror r13, 18
    add r9, r10
    and r11, rbp
    mov r10, rbp
    ror r10, 41
    add r9, rbx
    xor r12, r13
    xor r11, r8
    mov r13, rdx
    and r13, rcx
    mov r14, rdx
    xor r14, rcx
    mov r15, rax
    ror r15, 28
    mov rsi, rax
    ror rsi, 34
    xor r10, r12
    add r9, r11
    and r14, rax
    sub r13, rbx
    mov rbx, rax
    ror rbx, 39
    mov r11, qword ptr [rsp + 96]
    add r11, qword ptr [rip + .Lsha512_x86_64_k + 8]
    xor r15, rsi
    add r10, r9
    mov r9, rdi
    xor r9, rbp
    add r14, r13
    add r8, r11
    xor rbx, r15
    mov r11, r10
    ror r11, 14
    mov r12, r10
    ror r12, 18
    and r9, r10
    add r14, r10
    add r8, rdx
    mov r13, r10
    ror r13, 41
    xor r11, r12
    xor r9, rdi
    mov r12, rcx
    and r12, rax
    mov r15, rcx
    xor r15, rax
    add rbx, r14
    xor r13, r11
    add r8, r9
    mov r9, rbx
    ror r9, 28
    mov r11, rbx
    ror r11, 34
    and r15, rbx
    sub r12, rdx
    mov rdx, qword ptr [rsp + 104]
    add rdx, qword ptr [rip + .Lsha512_x86_64_k + 16]
    add r13, r8
    mov r8, r10
    xor r8, rbp
    mov r14, rbx
    ror r14, 39
    xor r9, r11
    add r15, r12
    add rdi, rdx
    mov rdx, r13
    ror rdx, 14
    mov r11, r13
    ror r11, 18
    and r8, r13
    xor r14, r9
    add r15, r13
    add rdi, rcx
    mov r9, r13
    ror r9, 41
    xor rdx, r11
    xor r8, rbp
    add r14, r15
    mov r11, rbx
    and r11, rax
    mov r12, rbx
    xor r12, rax
    xor r9, rdx
    add rdi, r8
    mov rdx, r14
    ror rdx, 28
    mov r8, r14
    ror r8, 34
    and r12, r14
    sub r11, rcx
    mov rcx, qword ptr [rsp + 112]
    add rcx, qword ptr [rip + .Lsha512_x86_64_k + 24]
    add r9, rdi
    mov rdi, r13
    xor rdi, r10
    mov r15, r14
    ror r15, 39
    xor rdx, r8
    add r12, r11
    add rbp, rcx
    mov rcx, r9
    ror rcx, 14
    mov r8, r9
    ror r8, 18
    and rdi, r9
    xor r15, rdx
    add r12, r9
    add rbp, rax
    mov rdx, r9
    ror rdx, 41
    xor rcx, r8
    xor rdi, r10
    add r15, r12
    mov r8, r14
    and r8, rbx
    mov r11, r14
    xor r11, rbx
    xor rdx, rcx
    add rbp, rdi
    mov rcx, r15
    ror rcx, 28
    mov rdi, r15
    ror rdi, 34
    and r11, r15
    sub r8, rax
    mov rax, qword ptr [rsp + 120]
    add rax, qword ptr [rip + .Lsha512_x86_64_k + 32]
    add rdx, rbp
    mov rbp, r9
    xor rbp, r13
    mov r12, r15
    ror r12, 39
    xor rcx, rdi
    add r11, r8
    mov rdi, rdx
    ror rdi, 14
    mov r8, rdx
    ror r8, 18
    add rax, r10
    and rbp, rdx
    xor r12, rcx
    add r11, rdx
    mov rcx, rdx
    ror rcx, 41
    xor rdi, r8
    xor rbp, r13
    add r12, r11
    add rax, rbx
    mov r8, r15
    and r8, r14
    mov r10, r15
    xor r10, r14
    xor rcx, rdi
    mov rdi, r12
    ror rdi, 28
    mov r11, r12
    ror r11, 34
    add rbp, rax
    and r10, r12
    sub r8, rbx
    mov rax, qword ptr [rsp + 128]
    add rax, qword ptr [rip + .Lsha512_x86_64_k + 40]
    mov rbx, rdx
    xor rbx, r9
    mov rsi, r12
    ror rsi, 39
    xor rdi, r11
    add rcx, rbp
    add r10, r8
    add rax, r13
    xor rsi, rdi
    add r10, rcx
    mov rbp, rcx
    ror rbp, 14
    mov rdi, rcx
    ror rdi, 18
    and rbx, rcx
    add rsi, r10
    mov r8, rcx
    ror r8, 41
    xor rbp, rdi
    xor rbx, r9
    add rax, r14
    mov rdi, r12
    and rdi, r15
    mov r10, r12
    xor r10, r15
    xor r8, rbp
    mov rbp, rsi
    ror rbp, 28
    mov r11, rsi
    ror r11, 34
    add rbx, rax
    and r10, rsi
    sub rdi, r14
    mov rax, qword ptr [rsp + 136]
    add rax, qword ptr [rip + .Lsha512_x86_64_k + 48]
    mov r13, rsi
    ror r13, 39
    xor rbp, r11
    add r8, rbx
    add r10, rdi
    mov rbx, rcx
    xor rbx, rdx
    add rax, r9
    xor r13, rbp
    add r10, r8
    mov rbp, r8
    ror rbp, 14
    mov rdi, r8
    ror rdi, 18
    and rbx, r8
    add r13, r10
    mov r9, r8
    ror r9, 41
    xor rbp, rdi
    xor rbx, rdx
    add rax, r15
    mov rdi, rsi
    and rdi, r12
    mov r10, rsi
    xor r10, r12
    xor r9, rbp
    mov rbp, r13
    ror rbp, 28
    mov r11, r13
    ror r11, 34
    add rbx, rax
    and r10, r13
    sub rdi, r15
    mov rax, qword ptr [rsp + 144]
    add rax, qword ptr [rip + .Lsha512_x86_64_k + 56]
    mov r14, r13
    ror r14, 39
    xor rbp, r11
    add r9, rbx
    add r10, rdi
    mov rbx, r8
    xor rbx, rcx
    add rax, rdx
    xor r14, rbp
    add r10, r9
    mov rdx, r9
    ror rdx, 14
    mov rbp, r9
    ror rbp, 18
    and rbx, r9
    add r14, r10
    mov rdi, r9
    ror rdi, 41
    xor rdx, rbp
    xor rbx, rcx
    add rax, r12
    mov rbp, r13
    and rbp, rsi
    mov r10, r13
    xor r10, rsi
    xor rdi, rdx
    mov rdx, r14
    ror rdx, 28
    mov r11, r14
    ror r11, 34
    add rbx, rax
    and r10, r14
    sub rbp, r12
    mov rax, qword ptr [rsp + 152]
    add rax, qword ptr [rip + .Lsha512_x86_64_k + 64]
    mov r12, r14
    ror r12, 39
    xor rdx, r11
    add rdi, rbx
    add r10, rbp
    mov rbx, r9
    xor rbx, r8
    xor r12, rdx
    add r10, rdi
    mov rdx, rdi
    ror rdx, 14
    mov rbp, rdi
    ror rbp, 18
    and rbx, rdi
    add rax, rcx
    add r12, r10
    mov rcx, rdi
    ror rcx, 41
    xor rdx, rbp
    xor rbx, r8
    add rax, rsi
    mov rbp, r14
    and rbp, r13
    mov r10, r14
    xor r10, r13
    xor rcx, rdx
    mov rdx, r12
    ror rdx, 28
    mov r11, r12
    ror r11, 34
    add rbx, rax
    and r10, r12
    sub rbp, rsi
    mov rax, qword ptr [rsp + 160]
    add rax, qword ptr [rip + .Lsha512_x86_64_k + 72]
    mov r15, r12
    ror r15, 39
    xor rdx, r11
    add rcx, rbx
    add r10, rbp
    mov rbx, rdi
    xor rbx, r9
    xor r15, rdx
    add r10, rcx
    mov rdx, rcx
    ror rdx, 14
    mov rbp, rcx
    ror rbp, 18
    and rbx, rcx
    add rax, r8
    add r15, r10
    mov r8, rcx
    ror r8, 41
    xor rdx, rbp
    xor rbx, r9
    add rax, r13
    mov rbp, r12
    and rbp, r14
    mov r10, r12
    xor r10, r14
    xor r8, rdx
    mov rdx, r15
    ror rdx, 28
    mov r11, r15
    ror r11, 34
    add rbx, rax
    and r10, r15
    sub rbp, r13
    mov rax, qword ptr [rsp + 168]
    add rax, qword ptr [rip + .Lsha512_x86_64_k + 80]
    mov r13, r15
    ror r13, 39
    xor rdx, r11
    add r8, rbx
    add r10, rbp
    mov rbx, rcx
    xor rbx, rdi
    xor r13, rdx
    add r10, r8
    mov rdx, r8
    ror rdx, 14
    mov rbp, r8
    ror rbp, 18
    and rbx, r8
    add rax, r9
    add r13, r10
    mov r9, r8
    ror r9, 41
    xor rdx, rbp
    xor rbx, rdi
    add rax, r14
    mov rbp, r15
    and rbp, r12
    mov r10, r15
    xor r10, r12
    xor r9, rdx
    mov rdx, r13
    ror rdx, 28
    mov r11, r13
    ror r11, 34
    add rbx, rax
    and r10, r13
    sub rbp, r14
    mov rax, qword ptr [rsp + 176]
    add rax, qword ptr [rip + .Lsha512_x86_64_k + 88]
    mov r14, r13
    ror r14, 39
    xor rdx, r11
    add r9, rbx
    add r10, rbp
    mov rbx, r8
    xor rbx, rcx
    xor r14, rdx
    add r10, r9
    mov rdx, r9
    ror rdx, 14
    mov rbp, r9
    ror rbp, 18
    and rbx, r9
    add rax, rdi
    add r14, r10
    mov rdi, r9
    ror rdi, 41
    xor rdx, rbp
    xor rbx, rcx
    add rax, r12
    mov rbp, r13
    and rbp, r15
    mov r10, r13
    xor r10, r15
    xor rdi, rdx
    mov rdx, r14
    ror rdx, 28
    mov r11, r14
    ror r11, 34
    add rbx, rax
    and r10, r14
    sub rbp, r12
    mov rax, qword ptr [rsp + 184]
    add rax, qword ptr [rip + .Lsha512_x86_64_k + 96]
    mov r12, r14
    ror r12, 39
    xor rdx, r11
    add rdi, rbx
    add r10, rbp
    mov rbx, r9
    xor rbx, r8
    xor r12, rdx
    add r10, rdi
    mov rdx, rdi
    ror rdx, 14
    mov rbp, rdi
    ror rbp, 18
    and rbx, rdi
    add rax, rcx
    add r12, r10
    mov rcx, rdi
    ror rcx, 41
    xor rdx, rbp
    xor rbx, r8
    add rax, r15
    mov rbp, r14
    and rbp, r13
    mov r10, r14
    xor r10, r13
    xor rcx, rdx
    mov rdx, r12
    ror rdx, 28
    mov r11, r12
    ror r11, 34
    add rbx, rax
    and r10, r12
    sub rbp, r15
    mov rax, qword ptr [rsp + 192]
    add rax, qword ptr [rip + .Lsha512_x86_64_k + 104]
    mov r15, r12
    ror r15, 39
    xor rdx, r11
    add rcx, rbx
    add r10, rbp
    mov rbx, rdi
    xor rbx, r9
    xor r15, rdx
    add r10, rcx
    mov rdx, rcx
    ror rdx, 14
    mov rbp, rcx
    ror rbp, 18
    and rbx, rcx
    add rax, r8
    add r15, r10
    mov r8, rcx
    ror r8, 41
    xor rdx, rbp
    xor rbx, r9
    add rax, r13
    mov rbp, r12
    and rbp, r14
    mov r10, r12
    xor r10, r14
    xor r8, rdx
    mov rdx, r15
    ror rdx, 28
    mov r11, r15
    ror r11, 34
    add rbx, rax
    and r10, r15
    sub rbp, r13
    mov rax, qword ptr [rsp + 200]
    add rax, qword ptr [rip + .Lsha512_x86_64_k + 112]
    mov r13, r15
    ror r13, 39
    xor rdx, r11
    add r8, rbx
    add r10, rbp
    mov rbx, rcx
    xor rbx, rdi
    xor r13, rdx
    add r10, r8
    mov rdx, r8
    ror rdx, 14
    mov rbp, r8
    ror rbp, 18
    and rbx, r8
    add rax, r9
    add r13, r10
    mov r9, r8
    ror r9, 41
    xor rdx, rbp
    xor rbx, rdi
    add rax, r14
    mov rbp, r15
    and rbp, r12
    mov r10, r15
    xor r10, r12
    mov r11, qword ptr [rsp + 200]
    ror r11, 19
    mov rsi, qword ptr [rsp + 200]
    ror rsi, 61
    xor r9, rdx
    mov rdx, r13
    ror rdx, 28
    mov qword ptr [rsp + 728], r15
    mov r15, r13
    ror r15, 34
    add rbx, rax
    and r10, r13
    sub rbp, r14
    mov rax, qword ptr [rsp + 208]
    add rax, qword ptr [rip + .Lsha512_x86_64_k + 120]
    mov r14, qword ptr [rsp + 96]
    ror r14, 1
    mov qword ptr [rsp + 736], r12
    mov r12, qword ptr [rsp + 96]
    ror r12, 8
    mov qword ptr [rsp + 744], rdi
    mov rdi, qword ptr [rsp + 200]
    shr rdi, 6
    xor r11, rsi
    mov rsi, r13
    ror rsi, 39
    xor rdx, r15
    add r9, rbx
    add r10, rbp
    mov rbx, r8
    xor rbx, rcx
    mov rbp, qword ptr [rsp + 96]
    shr rbp, 7
    xor r14, r12
    xor rdi, r11
    xor rsi, rdx
    add r10, r9
    mov rdx, r9
    ror rdx, 14
    mov r11, r9
    ror r11, 18
    and rbx, r9
    add rax, qword ptr [rsp + 744]
    mov r12, qword ptr [rsp + 88]
    add r12, qword ptr [rsp + 160]
    xor rbp, r14
    add rsi, r10
    mov r10, r9
    ror r10, 41
    xor rdx, r11
    xor rbx, rcx
    add rax, qword ptr [rsp + 736]
    mov r11, qword ptr [rsp + 728]
    and r11, r13
    mov r14, qword ptr [rsp + 728]
    xor r14, r13
    add rdi, r12
    mov r12, qword ptr [rsp + 208]
    ror r12, 19
    mov r15, qword ptr [rsp + 208]
    ror r15, 61
    xor r10, rdx
    mov rdx, rsi
    ror rdx, 28
    mov qword ptr [rsp + 752], r13
    mov r13, rsi
    ror r13, 34
    add rbx, rax
    and r14, rsi
    sub r11, qword ptr [rsp + 736]
    add rbp, rdi
    mov qword ptr [rsp + 216], rbp
    mov rax, qword ptr [rsp + 104]
    ror rax, 1
    mov rdi, qword ptr [rsp + 104]
    ror rdi, 8
    mov rbp, qword ptr [rsp + 208]
    shr rbp, 6
    xor r12, r15
    mov r15, rsi
    ror r15, 39
    xor rdx, r13
    add r10, rbx
    add r14, r11
    mov rbx, r9
    xor rbx, r8
    mov r11, qword ptr [rsp + 216]
    add r11, qword ptr [rip + .Lsha512_x86_64_k + 128]
    mov r13, qword ptr [rsp + 104]
    shr r13, 7
    xor rax, rdi
    xor rbp, r12
    xor r15, rdx
    add r14, r10
    mov rdx, r10
    ror rdx, 14
    mov rdi, r10
    ror rdi, 18
    and rbx, r10
    add rcx, r11
    mov r11, qword ptr [rsp + 96]
    add r11, qword ptr [rsp + 168]
    xor r13, rax
    add r15, r14
    mov rax, r10
    ror rax, 41
    xor rdx, rdi
    xor rbx, r8
    add rcx, qword ptr [rsp + 728]
    mov rdi, qword ptr [rsp + 752]
    and rdi, rsi
    mov r12, qword ptr [rsp + 752]
    xor r12, rsi
    add rbp, r11
    xor rax, rdx
    mov rdx, r15
    ror rdx, 28
    mov r11, r15
    ror r11, 34
    add rbx, rcx
    and r12, r15
    sub rdi, qword ptr [rsp + 728]
    add r13, rbp
    mov qword ptr [rsp + 224], r13
    mov rcx, qword ptr [rsp + 216]
    ror rcx, 19
    mov rbp, qword ptr [rsp + 216]
    ror rbp, 61
    mov r14, qword ptr [rsp + 112]
    ror r14, 1
    mov r13, qword ptr [rsp + 112]
    ror r13, 8
    mov qword ptr [rsp + 760], rsi
    mov rsi, r15
    ror rsi, 39
    xor rdx, r11
    add rax, rbx
    add r12, rdi
    mov rbx, r10
    xor rbx, r9
    mov rdi, qword ptr [rsp + 224]
    add rdi, qword ptr [rip + .Lsha512_x86_64_k + 136]
    mov r11, qword ptr [rsp + 216]
    shr r11, 6
    xor rcx, rbp
    mov rbp, qword ptr [rsp + 112]
    shr rbp, 7
    xor r14, r13
    xor rsi, rdx
    add r12, rax
    mov rdx, rax
    ror rdx, 14
    mov r13, rax
    ror r13, 18
    and rbx, rax
    add r8, rdi
    xor r11, rcx
    mov rcx, qword ptr [rsp + 104]
    add rcx, qword ptr [rsp + 176]
    xor rbp, r14
    add rsi, r12
    mov rdi, rax
    ror rdi, 41
    xor rdx, r13
    xor rbx, r9
    add r8, qword ptr [rsp + 752]
    mov r12, qword ptr [rsp + 760]
    and r12, r15
    mov r13, qword ptr [rsp + 760]
    xor r13, r15
    add r11, rcx
    xor rdi, rdx
    mov rcx, rsi
    ror rcx, 28
    mov rdx, rsi
    ror rdx, 34
    add rbx, r8
    and r13, rsi
    sub r12, qword ptr [rsp + 752]
    add rbp, r11
    mov qword ptr [rsp + 232], rbp
    mov r8, qword ptr [rsp + 224]
    ror r8, 19
    mov r11, qword ptr [rsp + 224]
    ror r11, 61
    mov r14, qword ptr [rsp + 120]
    ror r14, 1
    mov rbp, qword ptr [rsp + 120]
    ror rbp, 8
    mov qword ptr [rsp + 768], r15
    mov r15, rsi
    ror r15, 39
    xor rcx, rdx
    add rdi, rbx
    add r13, r12
    mov rdx, rax
    xor rdx, r10
    mov rbx, qword ptr [rsp + 232]
    add rbx, qword ptr [rip + .Lsha512_x86_64_k + 144]
    mov r12, qword ptr [rsp + 224]
    shr r12, 6
    xor r8, r11
    mov r11, qword ptr [rsp + 120]
    shr r11, 7
    xor r14, rbp
    xor r15, rcx
    add r13, rdi
    mov rcx, rdi
    ror rcx, 14
    mov rbp, rdi
    ror rbp, 18
    and rdx, rdi
    add r9, rbx
    xor r12, r8
    mov rbx, qword ptr [rsp + 112]
    add rbx, qword ptr [rsp + 184]
    xor r11, r14
    add r15, r13
    mov r8, rdi
    ror r8, 41
    xor rcx, rbp
    xor rdx, r10
    add r9, qword ptr [rsp + 760]
    mov rbp, qword ptr [rsp + 768]
    and rbp, rsi
    mov r13, qword ptr [rsp + 768]
    xor r13, rsi
    add r12, rbx
    xor r8, rcx
    mov rcx, r15
    ror rcx, 28
    mov rbx, r15
    ror rbx, 34
    add rdx, r9
    and r13, r15
    sub rbp, qword ptr [rsp + 760]
    add r11, r12
    mov qword ptr [rsp + 240], r11
    mov r9, qword ptr [rsp + 232]
    ror r9, 19
    mov r12, qword ptr [rsp + 232]
    ror r12, 61
    mov r14, qword ptr [rsp + 128]
    ror r14, 1
    mov r11, qword ptr [rsp + 128]
    ror r11, 8
    mov qword ptr [rsp + 776], rsi
    mov rsi, r15
    ror rsi, 39
    xor rcx, rbx
    add r8, rdx
    add r13, rbp
    mov rdx, rdi
    xor rdx, rax
    mov rbx, qword ptr [rsp + 240]
    add rbx, qword ptr [rip + .Lsha512_x86_64_k + 152]
    mov rbp, qword ptr [rsp + 232]
    shr rbp, 6
    xor r9, r12
    mov r12, qword ptr [rsp + 128]
    shr r12, 7
    xor r14, r11
    xor rsi, rcx
    add r13, r8
    mov rcx, r8
    ror rcx, 14
    mov r11, r8
    ror r11, 18
    and rdx, r8
    add r10, rbx
    xor rbp, r9
    mov rbx, qword ptr [rsp + 120]
    add rbx, qword ptr [rsp + 192]
    xor r12, r14
    add rsi, r13
    mov r9, r8
    ror r9, 41
    xor rcx, r11
    xor rdx, rax
    add r10, qword ptr [rsp + 768]
    mov r11, qword ptr [rsp + 776]
    and r11, r15
    mov r13, qword ptr [rsp + 776]
    xor r13, r15
    add rbp, rbx
    xor r9, rcx
    mov rcx, rsi
    ror rcx, 28
    mov rbx, rsi
    ror rbx, 34
    add rdx, r10
    and r13, rsi
    sub r11, qword ptr [rsp + 768]
    add r12, rbp
    mov qword ptr [rsp + 248], r12
    mov rbp, qword ptr [rsp + 240]
    ror rbp, 19
    mov r10, qword ptr [rsp + 240]
    ror r10, 61
    mov r14, qword ptr [rsp + 136]
    ror r14, 1
    mov r12, qword ptr [rsp + 136]
    ror r12, 8
    mov qword ptr [rsp + 784], r15
    mov r15, rsi
    ror r15, 39
    xor rcx, rbx
    add r9, rdx
    add r13, r11
    mov rdx, r8
    xor rdx, rdi
    mov rbx, qword ptr [rsp + 248]
    add rbx, qword ptr [rip + .Lsha512_x86_64_k + 160]
    mov r11, qword ptr [rsp + 240]
    shr r11, 6
    xor rbp, r10
    mov r10, qword ptr [rsp + 136]
    shr r10, 7
    xor r14, r12
    xor r15, rcx
    add r13, r9
    mov rcx, r9
    ror rcx, 14
    mov r12, r9
    ror r12, 18
    and rdx, r9
    add rax, rbx
    xor r11, rbp
    mov rbx, qword ptr [rsp + 128]
    add rbx, qword ptr [rsp + 200]
    xor r10, r14
    add r15, r13
    mov rbp, r9
    ror rbp, 41
    xor rcx, r12
    xor rdx, rdi
    add rax, qword ptr [rsp + 776]
    mov r12, qword ptr [rsp + 784]
    and r12, rsi
    mov r13, qword ptr [rsp + 784]
    xor r13, rsi
    add r11, rbx
    xor rbp, rcx
    mov rcx, r15
    ror rcx, 28
    mov rbx, r15
    ror rbx, 34
    add rdx, rax
    and r13, r15
    sub r12, qword ptr [rsp + 776]
    add r10, r11
    mov qword ptr [rsp + 256], r10
    mov rax, qword ptr [rsp + 248]
    ror rax, 19
    mov r11, qword ptr [rsp + 248]
    ror r11, 61
    mov r14, qword ptr [rsp + 144]
    ror r14, 1
    mov r10, qword ptr [rsp + 144]
    ror r10, 8
    mov qword ptr [rsp + 792], rsi
    mov rsi, r15
    ror rsi, 39
    xor rcx, rbx
    add rbp, rdx
    add r13, r12
    mov rdx, r9
    xor rdx, r8
    mov rbx, qword ptr [rsp + 256]
    add rbx, qword ptr [rip + .Lsha512_x86_64_k + 168]
    mov r12, qword ptr [rsp + 248]
    shr r12, 6
    xor rax, r11
    mov r11, qword ptr [rsp + 144]
    shr r11, 7
    xor r14, r10
    xor rsi, rcx
    add r13, rbp
    mov rcx, rbp
    ror rcx, 14
    mov r10, rbp
    ror r10, 18
    and rdx, rbp
    add rdi, rbx
    xor r12, rax
    mov rax, qword ptr [rsp + 136]
    add rax, qword ptr [rsp + 208]
    xor r11, r14
    add rsi, r13
    mov rbx, rbp
    ror rbx, 41
    xor rcx, r10
    xor rdx, r8
    add rdi, qword ptr [rsp + 784]
    mov r10, qword ptr [rsp + 792]
    and r10, r15
    mov r13, qword ptr [rsp + 792]
    xor r13, r15
    add r12, rax
    xor rbx, rcx
    mov rax, rsi
    ror rax, 28
    mov rcx, rsi
    ror rcx, 34
    add rdx, rdi
    and r13, rsi
    sub r10, qword ptr [rsp + 784]
    add r11, r12
    mov qword ptr [rsp + 264], r11
    mov rdi, qword ptr [rsp + 256]
    ror rdi, 19
    mov r12, qword ptr [rsp + 256]
    ror r12, 61
    mov r14, qword ptr [rsp + 152]
    ror r14, 1
    mov r11, qword ptr [rsp + 152]
    ror r11, 8
    mov qword ptr [rsp + 800], r15
    mov r15, rsi
    ror r15, 39
    xor rax, rcx
    add rbx, rdx
    add r13, r10
    mov rcx, rbp
    xor rcx, r9
    mov rdx, qword ptr [rsp + 264]
    add rdx, qword ptr [rip + .Lsha512_x86_64_k + 176]
    mov r10, qword ptr [rsp + 256]
    shr r10, 6
    xor rdi, r12
    mov r12, qword ptr [rsp + 152]
    shr r12, 7
    xor r14, r11
    xor r15, rax
    add r13, rbx
    mov rax, rbx
    ror rax, 14
    mov r11, rbx
    ror r11, 18
    and rcx, rbx
    add r8, rdx
    xor r10, rdi
    mov rdx, qword ptr [rsp + 144]
    add rdx, qword ptr [rsp + 216]
    xor r12, r14
    add r15, r13
    mov rdi, rbx
    ror rdi, 41
    xor rax, r11
    xor rcx, r9
    add r8, qword ptr [rsp + 792]
    mov r11, qword ptr [rsp + 800]
    and r11, rsi
    mov r13, qword ptr [rsp + 800]
    xor r13, rsi
    add r10, rdx
    xor rdi, rax
    mov rax, r15
    ror rax, 28
    mov rdx, r15
    ror rdx, 34
    add rcx, r8
    and r13, r15
    sub r11, qword ptr [rsp + 792]
    add r12, r10
    mov qword ptr [rsp + 272], r12
    mov r8, qword ptr [rsp + 264]
    ror r8, 19
    mov r10, qword ptr [rsp + 264]
    ror r10, 61
    mov r14, qword ptr [rsp + 160]
    ror r14, 1
    mov r12, qword ptr [rsp + 160]
    ror r12, 8
    mov qword ptr [rsp + 808], rsi
    mov rsi, r15
    ror rsi, 39
    xor rax, rdx
    add rdi, rcx
    add r13, r11
    mov rcx, rbx
    xor rcx, rbp
    mov rdx, qword ptr [rsp + 272]
    add rdx, qword ptr [rip + .Lsha512_x86_64_k + 184]
    mov r11, qword ptr [rsp + 264]
    shr r11, 6
    xor r8, r10
    mov r10, qword ptr [rsp + 160]
    shr r10, 7
    xor r14, r12
    xor rsi, rax
    add r13, rdi
    mov rax, rdi
    ror rax, 14
    mov r12, rdi
    ror r12, 18
    and rcx, rdi
    add r9, rdx
    xor r11, r8
    mov rdx, qword ptr [rsp + 152]
    add rdx, qword ptr [rsp + 224]
    xor r10, r14
    add rsi, r13
    mov r8, rdi
    ror r8, 41
    xor rax, r12
    xor rcx, rbp
    add r9, qword ptr [rsp + 800]
    mov r12, qword ptr [rsp + 808]
    and r12, r15
    mov r13, qword ptr [rsp + 808]
    xor r13, r15
    add r11, rdx
    xor r8, rax
    mov rax, rsi
    ror rax, 28
    mov rdx, rsi
    ror rdx, 34
    add rcx, r9
    and r13, rsi
    sub r12, qword ptr [rsp + 800]
    add r10, r11
    mov qword ptr [rsp + 280], r10
    mov r9, qword ptr [rsp + 272]
    ror r9, 19
    mov r11, qword ptr [rsp + 272]
    ror r11, 61
    mov r14, qword ptr [rsp + 168]
    ror r14, 1
    mov r10, qword ptr [rsp + 168]
    ror r10, 8
    mov qword ptr [rsp + 816], r15
    mov r15, rsi
    ror r15, 39
    xor rax, rdx
    add r8, rcx
    add r13, r12
    mov rcx, rdi
    xor rcx, rbx
    mov rdx, qword ptr [rsp + 280]
    add rdx, qword ptr [rip + .Lsha512_x86_64_k + 192]
    mov r12, qword ptr [rsp + 272]
    shr r12, 6
    xor r9, r11
    mov r11, qword ptr [rsp + 168]
    shr r11, 7
    xor r14, r10
    xor r15, rax
    add r13, r8
    mov rax, r8
    ror rax, 14
    mov r10, r8
    ror r10, 18
    and rcx, r8
    add rbp, rdx
    xor r12, r9
    mov rdx, qword ptr [rsp + 160]
    add rdx, qword ptr [rsp + 232]
    xor r11, r14
    add r15, r13
    mov r9, r8
    ror r9, 41
    xor rax, r10
    xor rcx, rbx
    add rbp, qword ptr [rsp + 808]
    mov r10, qword ptr [rsp + 816]
    and r10, rsi
    mov r13, qword ptr [rsp + 816]
    xor r13, rsi
    add r12, rdx
    xor r9, rax
    mov rax, r15
    ror rax, 28
    mov rdx, r15
    ror rdx, 34
    add rcx, rbp
    and r13, r15
    sub r10, qword ptr [rsp + 808]
    add r11, r12
    mov qword ptr [rsp + 288], r11
    mov rbp, qword ptr [rsp + 280]
    ror rbp, 19
    mov r12, qword ptr [rsp + 280]
    ror r12, 61
    mov r14, qword ptr [rsp + 176]
    ror r14, 1
    mov r11, qword ptr [rsp + 176]
    ror r11, 8
    mov qword ptr [rsp + 824], rsi
    mov rsi, r15
    ror rsi, 39
    xor rax, rdx
    add r9, rcx
    add r13, r10
    mov rcx, r8
    xor rcx, rdi
    mov rdx, qword ptr [rsp + 288]
    add rdx, qword ptr [rip + .Lsha512_x86_64_k + 200]
    mov r10, qword ptr [rsp + 280]
    shr r10, 6
    xor rbp, r12
    mov r12, qword ptr [rsp + 176]
    shr r12, 7
    xor r14, r11
    xor rsi, rax
    add r13, r9
    mov rax, r9
    ror rax, 14
    mov r11, r9
    ror r11, 18
    and rcx, r9
    add rbx, rdx
    xor r10, rbp
    mov rdx, qword ptr [rsp + 168]
    add rdx, qword ptr [rsp + 240]
    xor r12, r14
    add rsi, r13
    mov rbp, r9
    ror rbp, 41
    xor rax, r11
    xor rcx, rdi
    add rbx, qword ptr [rsp + 816]
    mov r11, qword ptr [rsp + 824]
    and r11, r15
    mov r13, qword ptr [rsp + 824]
    xor r13, r15
    add r10, rdx
    xor rbp, rax
    mov rax, rsi
    ror rax, 28
    mov rdx, rsi
    ror rdx, 34
    add rcx, rbx
    and r13, rsi
    sub r11, qword ptr [rsp + 816]
    add r12, r10
    mov qword ptr [rsp + 296], r12
    mov rbx, qword ptr [rsp + 288]
    ror rbx, 19
    mov r10, qword ptr [rsp + 288]
    ror r10, 61
    mov r14, qword ptr [rsp + 184]
    ror r14, 1
    mov r12, qword ptr [rsp + 184]
    ror r12, 8
    mov qword ptr [rsp + 832], r15
    mov r15, rsi
    ror r15, 39
    xor rax, rdx
    add rbp, rcx
    add r13, r11
    mov rcx, r9
    xor rcx, r8
    mov rdx, qword ptr [rsp + 296]
    add rdx, qword ptr [rip + .Lsha512_x86_64_k + 208]
    mov r11, qword ptr [rsp + 288]
    shr r11, 6
    xor rbx, r10
    mov r10, qword ptr [rsp + 184]
    shr r10, 7
    xor r14, r12
    xor r15, rax
    add r13, rbp
    mov rax, rbp
    ror rax, 14
    mov r12, rbp
    ror r12, 18
    and rcx, rbp
    add rdi, rdx
    xor r11, rbx
    mov rdx, qword ptr [rsp + 176]
    add rdx, qword ptr [rsp + 248]
    xor r10, r14
    add r15, r13
    mov rbx, rbp
    ror rbx, 41
    xor rax, r12
    xor rcx, r8
    add rdi, qword ptr [rsp + 824]
    mov r12, qword ptr [rsp + 832]
    and r12, rsi
    mov r13, qword ptr [rsp + 832]
    xor r13, rsi
    add r11, rdx
    xor rbx, rax
    mov rax, r15
    ror rax, 28
    mov rdx, r15
    ror rdx, 34
    add rcx, rdi
    and r13, r15
    sub r12, qword ptr [rsp + 824]
    add r10, r11
    mov qword ptr [rsp + 304], r10
    mov rdi, qword ptr [rsp + 296]
    ror rdi, 19
    mov r11, qword ptr [rsp + 296]
    ror r11, 61
    mov r14, qword ptr [rsp + 192]
    ror r14, 1
    mov r10, qword ptr [rsp + 192]
    ror r10, 8
    mov qword ptr [rsp + 840], rsi
    mov rsi, r15
    ror rsi, 39
    xor rax, rdx
    add rbx, rcx
    add r13, r12
    mov rcx, rbp
    xor rcx, r9
    mov rdx, qword ptr [rsp + 304]
    add rdx, qword ptr [rip + .Lsha512_x86_64_k + 216]
    mov r12, qword ptr [rsp + 296]
    shr r12, 6
    xor rdi, r11
    mov r11, qword ptr [rsp + 192]
    shr r11, 7
    xor r14, r10
    xor rsi, rax
    add r13, rbx
    mov rax, rbx
    ror rax, 14
    mov r10, rbx
    ror r10, 18
    and rcx, rbx
    add r8, rdx
    xor r12, rdi
    mov rdx, qword ptr [rsp + 184]
    add rdx, qword ptr [rsp + 256]
    xor r11, r14
    add rsi, r13
    mov rdi, rbx
    ror rdi, 41
    xor rax, r10
    xor rcx, r9
    add r8, qword ptr [rsp + 832]
    mov r10, qword ptr [rsp + 840]
    and r10, r15
    mov r13, qword ptr [rsp + 840]
    xor r13, r15
    add r12, rdx
    xor rdi, rax
    mov rax, rsi
    ror rax, 28
    mov rdx, rsi
    ror rdx, 34
    add rcx, r8
    and r13, rsi
    sub r10, qword ptr [rsp + 832]
    add r11, r12
    mov qword ptr [rsp + 312], r11
    mov r8, qword ptr [rsp + 304]
    ror r8, 19
    mov r12, qword ptr [rsp + 304]
    ror r12, 61
    mov r14, qword ptr [rsp + 200]
    ror r14, 1
    mov r11, qword ptr [rsp + 200]
    ror r11, 8
    mov qword ptr [rsp + 848], r15
    mov r15, rsi
    ror r15, 39
    xor rax, rdx
    add rdi, rcx
    add r13, r10
    mov rcx, rbx
    xor rcx, rbp
    mov rdx, qword ptr [rsp + 312]
    add rdx, qword ptr [rip + .Lsha512_x86_64_k + 224]
    mov r10, qword ptr [rsp + 304]
    shr r10, 6
    xor r8, r12
    mov r12, qword ptr [rsp + 200]
    shr r12, 7
    xor r14, r11
    xor r15, rax
    add r13, rdi
    mov rax, rdi
    ror rax, 14
    mov r11, rdi
    ror r11, 18
    and rcx, rdi
    add r9, rdx
    xor r10, r8
    mov rdx, qword ptr [rsp + 192]
    add rdx, qword ptr [rsp + 264]
    xor r12, r14
    add r15, r13
    mov r8, rdi
    ror r8, 41
    xor rax, r11
    xor rcx, rbp
    add r9, qword ptr [rsp + 840]
    mov r11, qword ptr [rsp + 848]
    and r11, rsi
    mov r13, qword ptr [rsp + 848]
    xor r13, rsi
    add r10, rdx
    xor r8, rax
    mov rax, r15
    ror rax, 28
    mov rdx, r15
    ror rdx, 34
    add rcx, r9
    and r13, r15
    sub r11, qword ptr [rsp + 840]
    add r12, r10
    mov qword ptr [rsp + 320], r12
    mov r9, qword ptr [rsp + 312]
    ror r9, 19
    mov r10, qword ptr [rsp + 312]
    ror r10, 61
    mov r14, qword ptr [rsp + 208]
    ror r14, 1
    mov r12, qword ptr [rsp + 208]
    ror r12, 8
    mov qword ptr [rsp + 856], rsi
    mov rsi, r15
    ror rsi, 39
    xor rax, rdx
    add r8, rcx
    add r13, r11
    mov rcx, rdi
    xor rcx, rbx
    mov rdx, qword ptr [rsp + 320]
    add rdx, qword ptr [rip + .Lsha512_x86_64_k + 232]
    mov r11, qword ptr [rsp + 312]
    shr r11, 6
    xor r9, r10
    mov r10, qword ptr [rsp + 208]
    shr r10, 7
    xor r14, r12
    xor rsi, rax
    add r13, r8
    mov rax, r8
    ror rax, 14
    mov r12, r8
    ror r12, 18
    and rcx, r8
    add rbp, rdx
    xor r11, r9
    mov rdx, qword ptr [rsp + 200]
    add rdx, qword ptr [rsp + 272]
    xor r10, r14
    add rsi, r13
    mov r9, r8
    ror r9, 41
    xor rax, r12
    xor rcx, rbx
    add rbp, qword ptr [rsp + 848]
    mov r12, qword ptr [rsp + 856]
    and r12, r15
    mov r13, qword ptr [rsp + 856]
    xor r13, r15
    add r11, rdx
    xor r9, rax
    mov rax, rsi
    ror rax, 28
    mov rdx, rsi
    ror rdx, 34
    add rcx, rbp
    and r13, rsi
    sub r12, qword ptr [rsp + 848]
    add r10, r11
    mov qword ptr [rsp + 328], r10
    mov rbp, qword ptr [rsp + 320]
    ror rbp, 19
    mov r11, qword ptr [rsp + 320]
    ror r11, 61
    mov r14, rsi
    ror r14, 39
    xor rax, rdx
    add r9, rcx
    add r13, r12
    mov rcx, r8
    xor rcx, rdi
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 240]
    add rdx, r10
    mov r12, qword ptr [rsp + 216]
    ror r12, 1
    mov r10, qword ptr [rsp + 216]
    ror r10, 8
    mov qword ptr [rsp + 864], r8
    mov r8, qword ptr [rsp + 320]
    shr r8, 6
    xor rbp, r11
    xor r14, rax
    add r13, r9
    mov rax, r9
    ror rax, 14
    mov r11, r9
    ror r11, 18
    and rcx, r9
    add rbx, rdx
    mov rdx, qword ptr [rsp + 216]
    shr rdx, 7
    xor r12, r10
    xor r8, rbp
    mov rbp, qword ptr [rsp + 208]
    add rbp, qword ptr [rsp + 280]
    add r14, r13
    mov r10, r9
    ror r10, 41
    xor rax, r11
    xor rcx, rdi
    add rbx, qword ptr [rsp + 856]
    mov r11, rsi
    and r11, r15
    mov r13, rsi
    xor r13, r15
    xor rdx, r12
    add r8, rbp
    xor r10, rax
    mov rax, r14
    ror rax, 28
    mov rbp, r14
    ror rbp, 34
    add rcx, rbx
    and r13, r14
    sub r11, qword ptr [rsp + 856]
    add rdx, r8
    mov qword ptr [rsp + 336], rdx
    mov rbx, qword ptr [rsp + 328]
    ror rbx, 19
    mov r8, qword ptr [rsp + 328]
    ror r8, 61
    mov r12, r14
    ror r12, 39
    xor rax, rbp
    add r10, rcx
    add r13, r11
    mov rcx, qword ptr [rsp + 864]
    xor rcx, r9
    mov rbp, qword ptr [rip + .Lsha512_x86_64_k + 248]
    add rbp, rdx
    mov r11, qword ptr [rsp + 224]
    ror r11, 1
    mov rdx, qword ptr [rsp + 224]
    ror rdx, 8
    mov qword ptr [rsp + 872], r9
    mov r9, qword ptr [rsp + 328]
    shr r9, 6
    xor rbx, r8
    xor r12, rax
    add r13, r10
    mov rax, r10
    ror rax, 14
    mov r8, r10
    ror r8, 18
    and rcx, r10
    add rdi, rbp
    mov rbp, qword ptr [rsp + 224]
    shr rbp, 7
    xor r11, rdx
    xor r9, rbx
    mov rdx, qword ptr [rsp + 216]
    add rdx, qword ptr [rsp + 288]
    add r12, r13
    mov rbx, r10
    ror rbx, 41
    xor rax, r8
    xor rcx, qword ptr [rsp + 864]
    add rdi, r15
    mov r8, r14
    and r8, rsi
    mov r13, r14
    xor r13, rsi
    xor rbp, r11
    add r9, rdx
    xor rbx, rax
    mov rax, r12
    ror rax, 28
    mov rdx, r12
    ror rdx, 34
    add rcx, rdi
    and r13, r12
    sub r8, r15
    add rbp, r9
    mov qword ptr [rsp + 344], rbp
    mov rdi, qword ptr [rsp + 336]
    ror rdi, 19
    mov r9, qword ptr [rsp + 336]
    ror r9, 61
    mov r11, r12
    ror r11, 39
    xor rax, rdx
    add rbx, rcx
    add r13, r8
    mov rcx, qword ptr [rsp + 872]
    xor rcx, r10
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 256]
    add rdx, rbp
    mov r8, qword ptr [rsp + 232]
    ror r8, 1
    mov r15, qword ptr [rsp + 232]
    ror r15, 8
    mov rbp, qword ptr [rsp + 336]
    shr rbp, 6
    xor rdi, r9
    xor r11, rax
    add r13, rbx
    mov rax, rbx
    ror rax, 14
    mov r9, rbx
    ror r9, 18
    and rcx, rbx
    add rdx, qword ptr [rsp + 864]
    mov qword ptr [rsp + 880], r10
    mov r10, qword ptr [rsp + 232]
    shr r10, 7
    xor r8, r15
    xor rbp, rdi
    mov rdi, qword ptr [rsp + 224]
    add rdi, qword ptr [rsp + 296]
    add r11, r13
    mov r13, rbx
    ror r13, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 872]
    add rdx, rsi
    mov r9, r12
    and r9, r14
    mov r15, r12
    xor r15, r14
    xor r10, r8
    add rbp, rdi
    xor r13, rax
    mov rax, r11
    ror rax, 28
    mov rdi, r11
    ror rdi, 34
    add rcx, rdx
    and r15, r11
    sub r9, rsi
    add r10, rbp
    mov qword ptr [rsp + 352], r10
    mov rdx, qword ptr [rsp + 344]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 344]
    ror rbp, 61
    mov r8, r11
    ror r8, 39
    xor rax, rdi
    add r13, rcx
    add r15, r9
    mov rcx, qword ptr [rsp + 880]
    xor rcx, rbx
    mov rdi, qword ptr [rip + .Lsha512_x86_64_k + 264]
    add rdi, r10
    mov r9, qword ptr [rsp + 240]
    ror r9, 1
    mov rsi, qword ptr [rsp + 240]
    ror rsi, 8
    mov r10, qword ptr [rsp + 344]
    shr r10, 6
    xor rdx, rbp
    xor r8, rax
    add r15, r13
    mov rax, r13
    ror rax, 14
    mov rbp, r13
    ror rbp, 18
    and rcx, r13
    add rdi, qword ptr [rsp + 872]
    mov qword ptr [rsp + 888], rbx
    mov rbx, qword ptr [rsp + 240]
    shr rbx, 7
    xor r9, rsi
    xor r10, rdx
    mov rdx, qword ptr [rsp + 232]
    add rdx, qword ptr [rsp + 304]
    add r8, r15
    mov r15, r13
    ror r15, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 880]
    add rdi, r14
    mov rbp, r11
    and rbp, r12
    mov rsi, r11
    xor rsi, r12
    xor rbx, r9
    add r10, rdx
    xor r15, rax
    mov rax, r8
    ror rax, 28
    mov rdx, r8
    ror rdx, 34
    add rcx, rdi
    and rsi, r8
    sub rbp, r14
    add rbx, r10
    mov qword ptr [rsp + 360], rbx
    mov rdi, qword ptr [rsp + 352]
    ror rdi, 19
    mov r9, qword ptr [rsp + 352]
    ror r9, 61
    mov r10, r8
    ror r10, 39
    xor rax, rdx
    add r15, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 888]
    xor rcx, r13
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 272]
    add rdx, rbx
    mov rbp, qword ptr [rsp + 248]
    ror rbp, 1
    mov r14, qword ptr [rsp + 248]
    ror r14, 8
    mov rbx, qword ptr [rsp + 352]
    shr rbx, 6
    xor rdi, r9
    xor r10, rax
    add rsi, r15
    mov rax, r15
    ror rax, 14
    mov r9, r15
    ror r9, 18
    and rcx, r15
    add rdx, qword ptr [rsp + 880]
    mov qword ptr [rsp + 896], r13
    mov r13, qword ptr [rsp + 248]
    shr r13, 7
    xor rbp, r14
    xor rbx, rdi
    mov rdi, qword ptr [rsp + 240]
    add rdi, qword ptr [rsp + 312]
    add r10, rsi
    mov r14, r15
    ror r14, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 888]
    add rdx, r12
    mov r9, r8
    and r9, r11
    mov rsi, r8
    xor rsi, r11
    xor r13, rbp
    add rbx, rdi
    xor r14, rax
    mov rax, r10
    ror rax, 28
    mov rbp, r10
    ror rbp, 34
    add rcx, rdx
    and rsi, r10
    sub r9, r12
    add r13, rbx
    mov qword ptr [rsp + 368], r13
    mov rdx, qword ptr [rsp + 360]
    ror rdx, 19
    mov rbx, qword ptr [rsp + 360]
    ror rbx, 61
    mov rdi, r10
    ror rdi, 39
    xor rax, rbp
    add r14, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 896]
    xor rcx, r15
    mov rbp, qword ptr [rip + .Lsha512_x86_64_k + 280]
    add rbp, r13
    mov r9, qword ptr [rsp + 256]
    ror r9, 1
    mov r12, qword ptr [rsp + 256]
    ror r12, 8
    mov r13, qword ptr [rsp + 360]
    shr r13, 6
    xor rdx, rbx
    xor rdi, rax
    add rsi, r14
    mov rax, r14
    ror rax, 14
    mov rbx, r14
    ror rbx, 18
    and rcx, r14
    add rbp, qword ptr [rsp + 888]
    mov qword ptr [rsp + 904], r15
    mov r15, qword ptr [rsp + 256]
    shr r15, 7
    xor r9, r12
    xor r13, rdx
    mov rdx, qword ptr [rsp + 248]
    add rdx, qword ptr [rsp + 320]
    add rdi, rsi
    mov r12, r14
    ror r12, 41
    xor rax, rbx
    xor rcx, qword ptr [rsp + 896]
    add rbp, r11
    mov rbx, r10
    and rbx, r8
    mov rsi, r10
    xor rsi, r8
    xor r15, r9
    add r13, rdx
    xor r12, rax
    mov rax, rdi
    ror rax, 28
    mov rdx, rdi
    ror rdx, 34
    add rcx, rbp
    and rsi, rdi
    sub rbx, r11
    add r15, r13
    mov qword ptr [rsp + 376], r15
    mov rbp, qword ptr [rsp + 368]
    ror rbp, 19
    mov r9, qword ptr [rsp + 368]
    ror r9, 61
    mov r11, rdi
    ror r11, 39
    xor rax, rdx
    add r12, rcx
    add rsi, rbx
    mov rcx, qword ptr [rsp + 904]
    xor rcx, r14
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 288]
    add rdx, r15
    mov rbx, qword ptr [rsp + 264]
    ror rbx, 1
    mov r13, qword ptr [rsp + 264]
    ror r13, 8
    mov r15, qword ptr [rsp + 368]
    shr r15, 6
    xor rbp, r9
    xor r11, rax
    add rsi, r12
    mov rax, r12
    ror rax, 14
    mov r9, r12
    ror r9, 18
    and rcx, r12
    add rdx, qword ptr [rsp + 896]
    mov qword ptr [rsp + 912], r14
    mov r14, qword ptr [rsp + 264]
    shr r14, 7
    xor rbx, r13
    xor r15, rbp
    mov rbp, qword ptr [rsp + 256]
    add rbp, qword ptr [rsp + 328]
    add r11, rsi
    mov r13, r12
    ror r13, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 904]
    add rdx, r8
    mov r9, rdi
    and r9, r10
    mov rsi, rdi
    xor rsi, r10
    xor r14, rbx
    add r15, rbp
    xor r13, rax
    mov rax, r11
    ror rax, 28
    mov rbx, r11
    ror rbx, 34
    add rcx, rdx
    and rsi, r11
    sub r9, r8
    add r14, r15
    mov qword ptr [rsp + 384], r14
    mov rdx, qword ptr [rsp + 376]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 376]
    ror rbp, 61
    mov r8, r11
    ror r8, 39
    xor rax, rbx
    add r13, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 912]
    xor rcx, r12
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 296]
    add rbx, r14
    mov r9, qword ptr [rsp + 272]
    ror r9, 1
    mov r15, qword ptr [rsp + 272]
    ror r15, 8
    mov r14, qword ptr [rsp + 376]
    shr r14, 6
    xor rdx, rbp
    xor r8, rax
    add rsi, r13
    mov rax, r13
    ror rax, 14
    mov rbp, r13
    ror rbp, 18
    and rcx, r13
    add rbx, qword ptr [rsp + 904]
    mov qword ptr [rsp + 920], r12
    mov r12, qword ptr [rsp + 272]
    shr r12, 7
    xor r9, r15
    xor r14, rdx
    mov rdx, qword ptr [rsp + 264]
    add rdx, qword ptr [rsp + 336]
    add r8, rsi
    mov r15, r13
    ror r15, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 912]
    add rbx, r10
    mov rbp, r11
    and rbp, rdi
    mov rsi, r11
    xor rsi, rdi
    xor r12, r9
    add r14, rdx
    xor r15, rax
    mov rax, r8
    ror rax, 28
    mov rdx, r8
    ror rdx, 34
    add rcx, rbx
    and rsi, r8
    sub rbp, r10
    add r12, r14
    mov qword ptr [rsp + 392], r12
    mov rbx, qword ptr [rsp + 384]
    ror rbx, 19
    mov r9, qword ptr [rsp + 384]
    ror r9, 61
    mov r10, r8
    ror r10, 39
    xor rax, rdx
    add r15, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 920]
    xor rcx, r13
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 304]
    add rdx, r12
    mov rbp, qword ptr [rsp + 280]
    ror rbp, 1
    mov r14, qword ptr [rsp + 280]
    ror r14, 8
    mov r12, qword ptr [rsp + 384]
    shr r12, 6
    xor rbx, r9
    xor r10, rax
    add rsi, r15
    mov rax, r15
    ror rax, 14
    mov r9, r15
    ror r9, 18
    and rcx, r15
    add rdx, qword ptr [rsp + 912]
    mov qword ptr [rsp + 928], r13
    mov r13, qword ptr [rsp + 280]
    shr r13, 7
    xor rbp, r14
    xor r12, rbx
    mov rbx, qword ptr [rsp + 272]
    add rbx, qword ptr [rsp + 344]
    add r10, rsi
    mov r14, r15
    ror r14, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 920]
    add rdx, rdi
    mov r9, r8
    and r9, r11
    mov rsi, r8
    xor rsi, r11
    xor r13, rbp
    add r12, rbx
    xor r14, rax
    mov rax, r10
    ror rax, 28
    mov rbx, r10
    ror rbx, 34
    add rcx, rdx
    and rsi, r10
    sub r9, rdi
    add r13, r12
    mov qword ptr [rsp + 400], r13
    mov rdx, qword ptr [rsp + 392]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 392]
    ror rbp, 61
    mov rdi, r10
    ror rdi, 39
    xor rax, rbx
    add r14, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 928]
    xor rcx, r15
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 312]
    add rbx, r13
    mov r9, qword ptr [rsp + 288]
    ror r9, 1
    mov r12, qword ptr [rsp + 288]
    ror r12, 8
    mov r13, qword ptr [rsp + 392]
    shr r13, 6
    xor rdx, rbp
    xor rdi, rax
    add rsi, r14
    mov rax, r14
    ror rax, 14
    mov rbp, r14
    ror rbp, 18
    and rcx, r14
    add rbx, qword ptr [rsp + 920]
    mov qword ptr [rsp + 936], r15
    mov r15, qword ptr [rsp + 288]
    shr r15, 7
    xor r9, r12
    xor r13, rdx
    mov rdx, qword ptr [rsp + 280]
    add rdx, qword ptr [rsp + 352]
    add rdi, rsi
    mov r12, r14
    ror r12, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 928]
    add rbx, r11
    mov rbp, r10
    and rbp, r8
    mov rsi, r10
    xor rsi, r8
    xor r15, r9
    add r13, rdx
    xor r12, rax
    mov rax, rdi
    ror rax, 28
    mov rdx, rdi
    ror rdx, 34
    add rcx, rbx
    and rsi, rdi
    sub rbp, r11
    add r15, r13
    mov qword ptr [rsp + 408], r15
    mov rbx, qword ptr [rsp + 400]
    ror rbx, 19
    mov r9, qword ptr [rsp + 400]
    ror r9, 61
    mov r11, rdi
    ror r11, 39
    xor rax, rdx
    add r12, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 936]
    xor rcx, r14
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 320]
    add rdx, r15
    mov rbp, qword ptr [rsp + 296]
    ror rbp, 1
    mov r13, qword ptr [rsp + 296]
    ror r13, 8
    mov r15, qword ptr [rsp + 400]
    shr r15, 6
    xor rbx, r9
    xor r11, rax
    add rsi, r12
    mov rax, r12
    ror rax, 14
    mov r9, r12
    ror r9, 18
    and rcx, r12
    add rdx, qword ptr [rsp + 928]
    mov qword ptr [rsp + 944], r14
    mov r14, qword ptr [rsp + 296]
    shr r14, 7
    xor rbp, r13
    xor r15, rbx
    mov rbx, qword ptr [rsp + 288]
    add rbx, qword ptr [rsp + 360]
    add r11, rsi
    mov r13, r12
    ror r13, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 936]
    add rdx, r8
    mov r9, rdi
    and r9, r10
    mov rsi, rdi
    xor rsi, r10
    xor r14, rbp
    add r15, rbx
    xor r13, rax
    mov rax, r11
    ror rax, 28
    mov rbx, r11
    ror rbx, 34
    add rcx, rdx
    and rsi, r11
    sub r9, r8
    add r14, r15
    mov qword ptr [rsp + 416], r14
    mov rdx, qword ptr [rsp + 408]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 408]
    ror rbp, 61
    mov r8, r11
    ror r8, 39
    xor rax, rbx
    add r13, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 944]
    xor rcx, r12
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 328]
    add rbx, r14
    mov r9, qword ptr [rsp + 304]
    ror r9, 1
    mov r15, qword ptr [rsp + 304]
    ror r15, 8
    mov r14, qword ptr [rsp + 408]
    shr r14, 6
    xor rdx, rbp
    xor r8, rax
    add rsi, r13
    mov rax, r13
    ror rax, 14
    mov rbp, r13
    ror rbp, 18
    and rcx, r13
    add rbx, qword ptr [rsp + 936]
    mov qword ptr [rsp + 952], r12
    mov r12, qword ptr [rsp + 304]
    shr r12, 7
    xor r9, r15
    xor r14, rdx
    mov rdx, qword ptr [rsp + 296]
    add rdx, qword ptr [rsp + 368]
    add r8, rsi
    mov r15, r13
    ror r15, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 944]
    add rbx, r10
    mov rbp, r11
    and rbp, rdi
    mov rsi, r11
    xor rsi, rdi
    xor r12, r9
    add r14, rdx
    xor r15, rax
    mov rax, r8
    ror rax, 28
    mov rdx, r8
    ror rdx, 34
    add rcx, rbx
    and rsi, r8
    sub rbp, r10
    add r12, r14
    mov qword ptr [rsp + 424], r12
    mov rbx, qword ptr [rsp + 416]
    ror rbx, 19
    mov r9, qword ptr [rsp + 416]
    ror r9, 61
    mov r10, r8
    ror r10, 39
    xor rax, rdx
    add r15, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 952]
    xor rcx, r13
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 336]
    add rdx, r12
    mov rbp, qword ptr [rsp + 312]
    ror rbp, 1
    mov r14, qword ptr [rsp + 312]
    ror r14, 8
    mov r12, qword ptr [rsp + 416]
    shr r12, 6
    xor rbx, r9
    xor r10, rax
    add rsi, r15
    mov rax, r15
    ror rax, 14
    mov r9, r15
    ror r9, 18
    and rcx, r15
    add rdx, qword ptr [rsp + 944]
    mov qword ptr [rsp + 960], r13
    mov r13, qword ptr [rsp + 312]
    shr r13, 7
    xor rbp, r14
    xor r12, rbx
    mov rbx, qword ptr [rsp + 304]
    add rbx, qword ptr [rsp + 376]
    add r10, rsi
    mov r14, r15
    ror r14, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 952]
    add rdx, rdi
    mov r9, r8
    and r9, r11
    mov rsi, r8
    xor rsi, r11
    xor r13, rbp
    add r12, rbx
    xor r14, rax
    mov rax, r10
    ror rax, 28
    mov rbx, r10
    ror rbx, 34
    add rcx, rdx
    and rsi, r10
    sub r9, rdi
    add r13, r12
    mov qword ptr [rsp + 432], r13
    mov rdx, qword ptr [rsp + 424]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 424]
    ror rbp, 61
    mov rdi, r10
    ror rdi, 39
    xor rax, rbx
    add r14, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 960]
    xor rcx, r15
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 344]
    add rbx, r13
    mov r9, qword ptr [rsp + 320]
    ror r9, 1
    mov r12, qword ptr [rsp + 320]
    ror r12, 8
    mov r13, qword ptr [rsp + 424]
    shr r13, 6
    xor rdx, rbp
    xor rdi, rax
    add rsi, r14
    mov rax, r14
    ror rax, 14
    mov rbp, r14
    ror rbp, 18
    and rcx, r14
    add rbx, qword ptr [rsp + 952]
    mov qword ptr [rsp + 968], r15
    mov r15, qword ptr [rsp + 320]
    shr r15, 7
    xor r9, r12
    xor r13, rdx
    mov rdx, qword ptr [rsp + 312]
    add rdx, qword ptr [rsp + 384]
    add rdi, rsi
    mov r12, r14
    ror r12, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 960]
    add rbx, r11
    mov rbp, r10
    and rbp, r8
    mov rsi, r10
    xor rsi, r8
    xor r15, r9
    add r13, rdx
    xor r12, rax
    mov rax, rdi
    ror rax, 28
    mov rdx, rdi
    ror rdx, 34
    add rcx, rbx
    and rsi, rdi
    sub rbp, r11
    add r15, r13
    mov qword ptr [rsp + 440], r15
    mov rbx, qword ptr [rsp + 432]
    ror rbx, 19
    mov r9, qword ptr [rsp + 432]
    ror r9, 61
    mov r11, rdi
    ror r11, 39
    xor rax, rdx
    add r12, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 968]
    xor rcx, r14
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 352]
    add rdx, r15
    mov rbp, qword ptr [rsp + 328]
    ror rbp, 1
    mov r13, qword ptr [rsp + 328]
    ror r13, 8
    mov r15, qword ptr [rsp + 432]
    shr r15, 6
    xor rbx, r9
    xor r11, rax
    add rsi, r12
    mov rax, r12
    ror rax, 14
    mov r9, r12
    ror r9, 18
    and rcx, r12
    add rdx, qword ptr [rsp + 960]
    mov qword ptr [rsp + 976], r14
    mov r14, qword ptr [rsp + 328]
    shr r14, 7
    xor rbp, r13
    xor r15, rbx
    mov rbx, qword ptr [rsp + 320]
    add rbx, qword ptr [rsp + 392]
    add r11, rsi
    mov r13, r12
    ror r13, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 968]
    add rdx, r8
    mov r9, rdi
    and r9, r10
    mov rsi, rdi
    xor rsi, r10
    xor r14, rbp
    add r15, rbx
    xor r13, rax
    mov rax, r11
    ror rax, 28
    mov rbx, r11
    ror rbx, 34
    add rcx, rdx
    and rsi, r11
    sub r9, r8
    add r14, r15
    mov qword ptr [rsp + 448], r14
    mov rdx, qword ptr [rsp + 440]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 440]
    ror rbp, 61
    mov r8, r11
    ror r8, 39
    xor rax, rbx
    add r13, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 976]
    xor rcx, r12
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 360]
    add rbx, r14
    mov r9, qword ptr [rsp + 336]
    ror r9, 1
    mov r15, qword ptr [rsp + 336]
    ror r15, 8
    mov r14, qword ptr [rsp + 440]
    shr r14, 6
    xor rdx, rbp
    xor r8, rax
    add rsi, r13
    mov rax, r13
    ror rax, 14
    mov rbp, r13
    ror rbp, 18
    and rcx, r13
    add rbx, qword ptr [rsp + 968]
    mov qword ptr [rsp + 984], r12
    mov r12, qword ptr [rsp + 336]
    shr r12, 7
    xor r9, r15
    xor r14, rdx
    mov rdx, qword ptr [rsp + 328]
    add rdx, qword ptr [rsp + 400]
    add r8, rsi
    mov r15, r13
    ror r15, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 976]
    add rbx, r10
    mov rbp, r11
    and rbp, rdi
    mov rsi, r11
    xor rsi, rdi
    xor r12, r9
    add r14, rdx
    xor r15, rax
    mov rax, r8
    ror rax, 28
    mov rdx, r8
    ror rdx, 34
    add rcx, rbx
    and rsi, r8
    sub rbp, r10
    add r12, r14
    mov qword ptr [rsp + 456], r12
    mov rbx, qword ptr [rsp + 448]
    ror rbx, 19
    mov r9, qword ptr [rsp + 448]
    ror r9, 61
    mov r10, r8
    ror r10, 39
    xor rax, rdx
    add r15, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 984]
    xor rcx, r13
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 368]
    add rdx, r12
    mov rbp, qword ptr [rsp + 344]
    ror rbp, 1
    mov r14, qword ptr [rsp + 344]
    ror r14, 8
    mov r12, qword ptr [rsp + 448]
    shr r12, 6
    xor rbx, r9
    xor r10, rax
    add rsi, r15
    mov rax, r15
    ror rax, 14
    mov r9, r15
    ror r9, 18
    and rcx, r15
    add rdx, qword ptr [rsp + 976]
    mov qword ptr [rsp + 992], r13
    mov r13, qword ptr [rsp + 344]
    shr r13, 7
    xor rbp, r14
    xor r12, rbx
    mov rbx, qword ptr [rsp + 336]
    add rbx, qword ptr [rsp + 408]
    add r10, rsi
    mov r14, r15
    ror r14, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 984]
    add rdx, rdi
    mov r9, r8
    and r9, r11
    mov rsi, r8
    xor rsi, r11
    xor r13, rbp
    add r12, rbx
    xor r14, rax
    mov rax, r10
    ror rax, 28
    mov rbx, r10
    ror rbx, 34
    add rcx, rdx
    and rsi, r10
    sub r9, rdi
    add r13, r12
    mov qword ptr [rsp + 464], r13
    mov rdx, qword ptr [rsp + 456]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 456]
    ror rbp, 61
    mov rdi, r10
    ror rdi, 39
    xor rax, rbx
    add r14, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 992]
    xor rcx, r15
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 376]
    add rbx, r13
    mov r9, qword ptr [rsp + 352]
    ror r9, 1
    mov r12, qword ptr [rsp + 352]
    ror r12, 8
    mov r13, qword ptr [rsp + 456]
    shr r13, 6
    xor rdx, rbp
    xor rdi, rax
    add rsi, r14
    mov rax, r14
    ror rax, 14
    mov rbp, r14
    ror rbp, 18
    and rcx, r14
    add rbx, qword ptr [rsp + 984]
    mov qword ptr [rsp + 1000], r15
    mov r15, qword ptr [rsp + 352]
    shr r15, 7
    xor r9, r12
    xor r13, rdx
    mov rdx, qword ptr [rsp + 344]
    add rdx, qword ptr [rsp + 416]
    add rdi, rsi
    mov r12, r14
    ror r12, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 992]
    add rbx, r11
    mov rbp, r10
    and rbp, r8
    mov rsi, r10
    xor rsi, r8
    xor r15, r9
    add r13, rdx
    xor r12, rax
    mov rax, rdi
    ror rax, 28
    mov rdx, rdi
    ror rdx, 34
    add rcx, rbx
    and rsi, rdi
    sub rbp, r11
    add r15, r13
    mov qword ptr [rsp + 472], r15
    mov rbx, qword ptr [rsp + 464]
    ror rbx, 19
    mov r9, qword ptr [rsp + 464]
    ror r9, 61
    mov r11, rdi
    ror r11, 39
    xor rax, rdx
    add r12, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1000]
    xor rcx, r14
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 384]
    add rdx, r15
    mov rbp, qword ptr [rsp + 360]
    ror rbp, 1
    mov r13, qword ptr [rsp + 360]
    ror r13, 8
    mov r15, qword ptr [rsp + 464]
    shr r15, 6
    xor rbx, r9
    xor r11, rax
    add rsi, r12
    mov rax, r12
    ror rax, 14
    mov r9, r12
    ror r9, 18
    and rcx, r12
    add rdx, qword ptr [rsp + 992]
    mov qword ptr [rsp + 1008], r14
    mov r14, qword ptr [rsp + 360]
    shr r14, 7
    xor rbp, r13
    xor r15, rbx
    mov rbx, qword ptr [rsp + 352]
    add rbx, qword ptr [rsp + 424]
    add r11, rsi
    mov r13, r12
    ror r13, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1000]
    add rdx, r8
    mov r9, rdi
    and r9, r10
    mov rsi, rdi
    xor rsi, r10
    xor r14, rbp
    add r15, rbx
    xor r13, rax
    mov rax, r11
    ror rax, 28
    mov rbx, r11
    ror rbx, 34
    add rcx, rdx
    and rsi, r11
    sub r9, r8
    add r14, r15
    mov qword ptr [rsp + 480], r14
    mov rdx, qword ptr [rsp + 472]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 472]
    ror rbp, 61
    mov r8, r11
    ror r8, 39
    xor rax, rbx
    add r13, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1008]
    xor rcx, r12
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 392]
    add rbx, r14
    mov r9, qword ptr [rsp + 368]
    ror r9, 1
    mov r15, qword ptr [rsp + 368]
    ror r15, 8
    mov r14, qword ptr [rsp + 472]
    shr r14, 6
    xor rdx, rbp
    xor r8, rax
    add rsi, r13
    mov rax, r13
    ror rax, 14
    mov rbp, r13
    ror rbp, 18
    and rcx, r13
    add rbx, qword ptr [rsp + 1000]
    mov qword ptr [rsp + 1016], r12
    mov r12, qword ptr [rsp + 368]
    shr r12, 7
    xor r9, r15
    xor r14, rdx
    mov rdx, qword ptr [rsp + 360]
    add rdx, qword ptr [rsp + 432]
    add r8, rsi
    mov r15, r13
    ror r15, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1008]
    add rbx, r10
    mov rbp, r11
    and rbp, rdi
    mov rsi, r11
    xor rsi, rdi
    xor r12, r9
    add r14, rdx
    xor r15, rax
    mov rax, r8
    ror rax, 28
    mov rdx, r8
    ror rdx, 34
    add rcx, rbx
    and rsi, r8
    sub rbp, r10
    add r12, r14
    mov qword ptr [rsp + 488], r12
    mov rbx, qword ptr [rsp + 480]
    ror rbx, 19
    mov r9, qword ptr [rsp + 480]
    ror r9, 61
    mov r10, r8
    ror r10, 39
    xor rax, rdx
    add r15, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1016]
    xor rcx, r13
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 400]
    add rdx, r12
    mov rbp, qword ptr [rsp + 376]
    ror rbp, 1
    mov r14, qword ptr [rsp + 376]
    ror r14, 8
    mov r12, qword ptr [rsp + 480]
    shr r12, 6
    xor rbx, r9
    xor r10, rax
    add rsi, r15
    mov rax, r15
    ror rax, 14
    mov r9, r15
    ror r9, 18
    and rcx, r15
    add rdx, qword ptr [rsp + 1008]
    mov qword ptr [rsp + 1024], r13
    mov r13, qword ptr [rsp + 376]
    shr r13, 7
    xor rbp, r14
    xor r12, rbx
    mov rbx, qword ptr [rsp + 368]
    add rbx, qword ptr [rsp + 440]
    add r10, rsi
    mov r14, r15
    ror r14, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1016]
    add rdx, rdi
    mov r9, r8
    and r9, r11
    mov rsi, r8
    xor rsi, r11
    xor r13, rbp
    add r12, rbx
    xor r14, rax
    mov rax, r10
    ror rax, 28
    mov rbx, r10
    ror rbx, 34
    add rcx, rdx
    and rsi, r10
    sub r9, rdi
    add r13, r12
    mov qword ptr [rsp + 496], r13
    mov rdx, qword ptr [rsp + 488]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 488]
    ror rbp, 61
    mov rdi, r10
    ror rdi, 39
    xor rax, rbx
    add r14, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1024]
    xor rcx, r15
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 408]
    add rbx, r13
    mov r9, qword ptr [rsp + 384]
    ror r9, 1
    mov r12, qword ptr [rsp + 384]
    ror r12, 8
    mov r13, qword ptr [rsp + 488]
    shr r13, 6
    xor rdx, rbp
    xor rdi, rax
    add rsi, r14
    mov rax, r14
    ror rax, 14
    mov rbp, r14
    ror rbp, 18
    and rcx, r14
    add rbx, qword ptr [rsp + 1016]
    mov qword ptr [rsp + 1032], r15
    mov r15, qword ptr [rsp + 384]
    shr r15, 7
    xor r9, r12
    xor r13, rdx
    mov rdx, qword ptr [rsp + 376]
    add rdx, qword ptr [rsp + 448]
    add rdi, rsi
    mov r12, r14
    ror r12, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1024]
    add rbx, r11
    mov rbp, r10
    and rbp, r8
    mov rsi, r10
    xor rsi, r8
    xor r15, r9
    add r13, rdx
    xor r12, rax
    mov rax, rdi
    ror rax, 28
    mov rdx, rdi
    ror rdx, 34
    add rcx, rbx
    and rsi, rdi
    sub rbp, r11
    add r15, r13
    mov qword ptr [rsp + 504], r15
    mov rbx, qword ptr [rsp + 496]
    ror rbx, 19
    mov r9, qword ptr [rsp + 496]
    ror r9, 61
    mov r11, rdi
    ror r11, 39
    xor rax, rdx
    add r12, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1032]
    xor rcx, r14
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 416]
    add rdx, r15
    mov rbp, qword ptr [rsp + 392]
    ror rbp, 1
    mov r13, qword ptr [rsp + 392]
    ror r13, 8
    mov r15, qword ptr [rsp + 496]
    shr r15, 6
    xor rbx, r9
    xor r11, rax
    add rsi, r12
    mov rax, r12
    ror rax, 14
    mov r9, r12
    ror r9, 18
    and rcx, r12
    add rdx, qword ptr [rsp + 1024]
    mov qword ptr [rsp + 1040], r14
    mov r14, qword ptr [rsp + 392]
    shr r14, 7
    xor rbp, r13
    xor r15, rbx
    mov rbx, qword ptr [rsp + 384]
    add rbx, qword ptr [rsp + 456]
    add r11, rsi
    mov r13, r12
    ror r13, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1032]
    add rdx, r8
    mov r9, rdi
    and r9, r10
    mov rsi, rdi
    xor rsi, r10
    xor r14, rbp
    add r15, rbx
    xor r13, rax
    mov rax, r11
    ror rax, 28
    mov rbx, r11
    ror rbx, 34
    add rcx, rdx
    and rsi, r11
    sub r9, r8
    add r14, r15
    mov qword ptr [rsp + 512], r14
    mov rdx, qword ptr [rsp + 504]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 504]
    ror rbp, 61
    mov r8, r11
    ror r8, 39
    xor rax, rbx
    add r13, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1040]
    xor rcx, r12
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 424]
    add rbx, r14
    mov r9, qword ptr [rsp + 400]
    ror r9, 1
    mov r15, qword ptr [rsp + 400]
    ror r15, 8
    mov r14, qword ptr [rsp + 504]
    shr r14, 6
    xor rdx, rbp
    xor r8, rax
    add rsi, r13
    mov rax, r13
    ror rax, 14
    mov rbp, r13
    ror rbp, 18
    and rcx, r13
    add rbx, qword ptr [rsp + 1032]
    mov qword ptr [rsp + 1048], r12
    mov r12, qword ptr [rsp + 400]
    shr r12, 7
    xor r9, r15
    xor r14, rdx
    mov rdx, qword ptr [rsp + 392]
    add rdx, qword ptr [rsp + 464]
    add r8, rsi
    mov r15, r13
    ror r15, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1040]
    add rbx, r10
    mov rbp, r11
    and rbp, rdi
    mov rsi, r11
    xor rsi, rdi
    xor r12, r9
    add r14, rdx
    xor r15, rax
    mov rax, r8
    ror rax, 28
    mov rdx, r8
    ror rdx, 34
    add rcx, rbx
    and rsi, r8
    sub rbp, r10
    add r12, r14
    mov qword ptr [rsp + 520], r12
    mov rbx, qword ptr [rsp + 512]
    ror rbx, 19
    mov r9, qword ptr [rsp + 512]
    ror r9, 61
    mov r10, r8
    ror r10, 39
    xor rax, rdx
    add r15, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1048]
    xor rcx, r13
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 432]
    add rdx, r12
    mov rbp, qword ptr [rsp + 408]
    ror rbp, 1
    mov r14, qword ptr [rsp + 408]
    ror r14, 8
    mov r12, qword ptr [rsp + 512]
    shr r12, 6
    xor rbx, r9
    xor r10, rax
    add rsi, r15
    mov rax, r15
    ror rax, 14
    mov r9, r15
    ror r9, 18
    and rcx, r15
    add rdx, qword ptr [rsp + 1040]
    mov qword ptr [rsp + 1056], r13
    mov r13, qword ptr [rsp + 408]
    shr r13, 7
    xor rbp, r14
    xor r12, rbx
    mov rbx, qword ptr [rsp + 400]
    add rbx, qword ptr [rsp + 472]
    add r10, rsi
    mov r14, r15
    ror r14, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1048]
    add rdx, rdi
    mov r9, r8
    and r9, r11
    mov rsi, r8
    xor rsi, r11
    xor r13, rbp
    add r12, rbx
    xor r14, rax
    mov rax, r10
    ror rax, 28
    mov rbx, r10
    ror rbx, 34
    add rcx, rdx
    and rsi, r10
    sub r9, rdi
    add r13, r12
    mov qword ptr [rsp + 528], r13
    mov rdx, qword ptr [rsp + 520]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 520]
    ror rbp, 61
    mov rdi, r10
    ror rdi, 39
    xor rax, rbx
    add r14, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1056]
    xor rcx, r15
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 440]
    add rbx, r13
    mov r9, qword ptr [rsp + 416]
    ror r9, 1
    mov r12, qword ptr [rsp + 416]
    ror r12, 8
    mov r13, qword ptr [rsp + 520]
    shr r13, 6
    xor rdx, rbp
    xor rdi, rax
    add rsi, r14
    mov rax, r14
    ror rax, 14
    mov rbp, r14
    ror rbp, 18
    and rcx, r14
    add rbx, qword ptr [rsp + 1048]
    mov qword ptr [rsp + 1064], r15
    mov r15, qword ptr [rsp + 416]
    shr r15, 7
    xor r9, r12
    xor r13, rdx
    mov rdx, qword ptr [rsp + 408]
    add rdx, qword ptr [rsp + 480]
    add rdi, rsi
    mov r12, r14
    ror r12, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1056]
    add rbx, r11
    mov rbp, r10
    and rbp, r8
    mov rsi, r10
    xor rsi, r8
    xor r15, r9
    add r13, rdx
    xor r12, rax
    mov rax, rdi
    ror rax, 28
    mov rdx, rdi
    ror rdx, 34
    add rcx, rbx
    and rsi, rdi
    sub rbp, r11
    add r15, r13
    mov qword ptr [rsp + 536], r15
    mov rbx, qword ptr [rsp + 528]
    ror rbx, 19
    mov r9, qword ptr [rsp + 528]
    ror r9, 61
    mov r11, rdi
    ror r11, 39
    xor rax, rdx
    add r12, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1064]
    xor rcx, r14
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 448]
    add rdx, r15
    mov rbp, qword ptr [rsp + 424]
    ror rbp, 1
    mov r13, qword ptr [rsp + 424]
    ror r13, 8
    mov r15, qword ptr [rsp + 528]
    shr r15, 6
    xor rbx, r9
    xor r11, rax
    add rsi, r12
    mov rax, r12
    ror rax, 14
    mov r9, r12
    ror r9, 18
    and rcx, r12
    add rdx, qword ptr [rsp + 1056]
    mov qword ptr [rsp + 1072], r14
    mov r14, qword ptr [rsp + 424]
    shr r14, 7
    xor rbp, r13
    xor r15, rbx
    mov rbx, qword ptr [rsp + 416]
    add rbx, qword ptr [rsp + 488]
    add r11, rsi
    mov r13, r12
    ror r13, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1064]
    add rdx, r8
    mov r9, rdi
    and r9, r10
    mov rsi, rdi
    xor rsi, r10
    xor r14, rbp
    add r15, rbx
    xor r13, rax
    mov rax, r11
    ror rax, 28
    mov rbx, r11
    ror rbx, 34
    add rcx, rdx
    and rsi, r11
    sub r9, r8
    add r14, r15
    mov qword ptr [rsp + 544], r14
    mov rdx, qword ptr [rsp + 536]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 536]
    ror rbp, 61
    mov r8, r11
    ror r8, 39
    xor rax, rbx
    add r13, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1072]
    xor rcx, r12
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 456]
    add rbx, r14
    mov r9, qword ptr [rsp + 432]
    ror r9, 1
    mov r15, qword ptr [rsp + 432]
    ror r15, 8
    mov r14, qword ptr [rsp + 536]
    shr r14, 6
    xor rdx, rbp
    xor r8, rax
    add rsi, r13
    mov rax, r13
    ror rax, 14
    mov rbp, r13
    ror rbp, 18
    and rcx, r13
    add rbx, qword ptr [rsp + 1064]
    mov qword ptr [rsp + 1080], r12
    mov r12, qword ptr [rsp + 432]
    shr r12, 7
    xor r9, r15
    xor r14, rdx
    mov rdx, qword ptr [rsp + 424]
    add rdx, qword ptr [rsp + 496]
    add r8, rsi
    mov r15, r13
    ror r15, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1072]
    add rbx, r10
    mov rbp, r11
    and rbp, rdi
    mov rsi, r11
    xor rsi, rdi
    xor r12, r9
    add r14, rdx
    xor r15, rax
    mov rax, r8
    ror rax, 28
    mov rdx, r8
    ror rdx, 34
    add rcx, rbx
    and rsi, r8
    sub rbp, r10
    add r12, r14
    mov qword ptr [rsp + 552], r12
    mov rbx, qword ptr [rsp + 544]
    ror rbx, 19
    mov r9, qword ptr [rsp + 544]
    ror r9, 61
    mov r10, r8
    ror r10, 39
    xor rax, rdx
    add r15, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1080]
    xor rcx, r13
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 464]
    add rdx, r12
    mov rbp, qword ptr [rsp + 440]
    ror rbp, 1
    mov r14, qword ptr [rsp + 440]
    ror r14, 8
    mov r12, qword ptr [rsp + 544]
    shr r12, 6
    xor rbx, r9
    xor r10, rax
    add rsi, r15
    mov rax, r15
    ror rax, 14
    mov r9, r15
    ror r9, 18
    and rcx, r15
    add rdx, qword ptr [rsp + 1072]
    mov qword ptr [rsp + 1088], r13
    mov r13, qword ptr [rsp + 440]
    shr r13, 7
    xor rbp, r14
    xor r12, rbx
    mov rbx, qword ptr [rsp + 432]
    add rbx, qword ptr [rsp + 504]
    add r10, rsi
    mov r14, r15
    ror r14, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1080]
    add rdx, rdi
    mov r9, r8
    and r9, r11
    mov rsi, r8
    xor rsi, r11
    xor r13, rbp
    add r12, rbx
    xor r14, rax
    mov rax, r10
    ror rax, 28
    mov rbx, r10
    ror rbx, 34
    add rcx, rdx
    and rsi, r10
    sub r9, rdi
    add r13, r12
    mov qword ptr [rsp + 560], r13
    mov rdx, qword ptr [rsp + 552]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 552]
    ror rbp, 61
    mov rdi, r10
    ror rdi, 39
    xor rax, rbx
    add r14, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1088]
    xor rcx, r15
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 472]
    add rbx, r13
    mov r9, qword ptr [rsp + 448]
    ror r9, 1
    mov r12, qword ptr [rsp + 448]
    ror r12, 8
    mov r13, qword ptr [rsp + 552]
    shr r13, 6
    xor rdx, rbp
    xor rdi, rax
    add rsi, r14
    mov rax, r14
    ror rax, 14
    mov rbp, r14
    ror rbp, 18
    and rcx, r14
    add rbx, qword ptr [rsp + 1080]
    mov qword ptr [rsp + 1096], r15
    mov r15, qword ptr [rsp + 448]
    shr r15, 7
    xor r9, r12
    xor r13, rdx
    mov rdx, qword ptr [rsp + 440]
    add rdx, qword ptr [rsp + 512]
    add rdi, rsi
    mov r12, r14
    ror r12, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1088]
    add rbx, r11
    mov rbp, r10
    and rbp, r8
    mov rsi, r10
    xor rsi, r8
    xor r15, r9
    add r13, rdx
    xor r12, rax
    mov rax, rdi
    ror rax, 28
    mov rdx, rdi
    ror rdx, 34
    add rcx, rbx
    and rsi, rdi
    sub rbp, r11
    add r15, r13
    mov qword ptr [rsp + 568], r15
    mov rbx, qword ptr [rsp + 560]
    ror rbx, 19
    mov r9, qword ptr [rsp + 560]
    ror r9, 61
    mov r11, rdi
    ror r11, 39
    xor rax, rdx
    add r12, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1096]
    xor rcx, r14
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 480]
    add rdx, r15
    mov rbp, qword ptr [rsp + 456]
    ror rbp, 1
    mov r13, qword ptr [rsp + 456]
    ror r13, 8
    mov r15, qword ptr [rsp + 560]
    shr r15, 6
    xor rbx, r9
    xor r11, rax
    add rsi, r12
    mov rax, r12
    ror rax, 14
    mov r9, r12
    ror r9, 18
    and rcx, r12
    add rdx, qword ptr [rsp + 1088]
    mov qword ptr [rsp + 1104], r14
    mov r14, qword ptr [rsp + 456]
    shr r14, 7
    xor rbp, r13
    xor r15, rbx
    mov rbx, qword ptr [rsp + 448]
    add rbx, qword ptr [rsp + 520]
    add r11, rsi
    mov r13, r12
    ror r13, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1096]
    add rdx, r8
    mov r9, rdi
    and r9, r10
    mov rsi, rdi
    xor rsi, r10
    xor r14, rbp
    add r15, rbx
    xor r13, rax
    mov rax, r11
    ror rax, 28
    mov rbx, r11
    ror rbx, 34
    add rcx, rdx
    and rsi, r11
    sub r9, r8
    add r14, r15
    mov qword ptr [rsp + 576], r14
    mov rdx, qword ptr [rsp + 568]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 568]
    ror rbp, 61
    mov r8, r11
    ror r8, 39
    xor rax, rbx
    add r13, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1104]
    xor rcx, r12
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 488]
    add rbx, r14
    mov r9, qword ptr [rsp + 464]
    ror r9, 1
    mov r15, qword ptr [rsp + 464]
    ror r15, 8
    mov r14, qword ptr [rsp + 568]
    shr r14, 6
    xor rdx, rbp
    xor r8, rax
    add rsi, r13
    mov rax, r13
    ror rax, 14
    mov rbp, r13
    ror rbp, 18
    and rcx, r13
    add rbx, qword ptr [rsp + 1096]
    mov qword ptr [rsp + 1112], r12
    mov r12, qword ptr [rsp + 464]
    shr r12, 7
    xor r9, r15
    xor r14, rdx
    mov rdx, qword ptr [rsp + 456]
    add rdx, qword ptr [rsp + 528]
    add r8, rsi
    mov r15, r13
    ror r15, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1104]
    add rbx, r10
    mov rbp, r11
    and rbp, rdi
    mov rsi, r11
    xor rsi, rdi
    xor r12, r9
    add r14, rdx
    xor r15, rax
    mov rax, r8
    ror rax, 28
    mov rdx, r8
    ror rdx, 34
    add rcx, rbx
    and rsi, r8
    sub rbp, r10
    add r12, r14
    mov qword ptr [rsp + 584], r12
    mov rbx, qword ptr [rsp + 576]
    ror rbx, 19
    mov r9, qword ptr [rsp + 576]
    ror r9, 61
    mov r10, r8
    ror r10, 39
    xor rax, rdx
    add r15, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1112]
    xor rcx, r13
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 496]
    add rdx, r12
    mov rbp, qword ptr [rsp + 472]
    ror rbp, 1
    mov r14, qword ptr [rsp + 472]
    ror r14, 8
    mov r12, qword ptr [rsp + 576]
    shr r12, 6
    xor rbx, r9
    xor r10, rax
    add rsi, r15
    mov rax, r15
    ror rax, 14
    mov r9, r15
    ror r9, 18
    and rcx, r15
    add rdx, qword ptr [rsp + 1104]
    mov qword ptr [rsp + 1120], r13
    mov r13, qword ptr [rsp + 472]
    shr r13, 7
    xor rbp, r14
    xor r12, rbx
    mov rbx, qword ptr [rsp + 464]
    add rbx, qword ptr [rsp + 536]
    add r10, rsi
    mov r14, r15
    ror r14, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1112]
    add rdx, rdi
    mov r9, r8
    and r9, r11
    mov rsi, r8
    xor rsi, r11
    xor r13, rbp
    add r12, rbx
    xor r14, rax
    mov rax, r10
    ror rax, 28
    mov rbx, r10
    ror rbx, 34
    add rcx, rdx
    and rsi, r10
    sub r9, rdi
    add r13, r12
    mov qword ptr [rsp + 592], r13
    mov rdx, qword ptr [rsp + 584]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 584]
    ror rbp, 61
    mov rdi, r10
    ror rdi, 39
    xor rax, rbx
    add r14, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1120]
    xor rcx, r15
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 504]
    add rbx, r13
    mov r9, qword ptr [rsp + 480]
    ror r9, 1
    mov r12, qword ptr [rsp + 480]
    ror r12, 8
    mov r13, qword ptr [rsp + 584]
    shr r13, 6
    xor rdx, rbp
    xor rdi, rax
    add rsi, r14
    mov rax, r14
    ror rax, 14
    mov rbp, r14
    ror rbp, 18
    and rcx, r14
    add rbx, qword ptr [rsp + 1112]
    mov qword ptr [rsp + 1128], r15
    mov r15, qword ptr [rsp + 480]
    shr r15, 7
    xor r9, r12
    xor r13, rdx
    mov rdx, qword ptr [rsp + 472]
    add rdx, qword ptr [rsp + 544]
    add rdi, rsi
    mov r12, r14
    ror r12, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1120]
    add rbx, r11
    mov rbp, r10
    and rbp, r8
    mov rsi, r10
    xor rsi, r8
    xor r15, r9
    add r13, rdx
    xor r12, rax
    mov rax, rdi
    ror rax, 28
    mov rdx, rdi
    ror rdx, 34
    add rcx, rbx
    and rsi, rdi
    sub rbp, r11
    add r15, r13
    mov qword ptr [rsp + 600], r15
    mov rbx, qword ptr [rsp + 592]
    ror rbx, 19
    mov r9, qword ptr [rsp + 592]
    ror r9, 61
    mov r11, rdi
    ror r11, 39
    xor rax, rdx
    add r12, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1128]
    xor rcx, r14
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 512]
    add rdx, r15
    mov rbp, qword ptr [rsp + 488]
    ror rbp, 1
    mov r13, qword ptr [rsp + 488]
    ror r13, 8
    mov r15, qword ptr [rsp + 592]
    shr r15, 6
    xor rbx, r9
    xor r11, rax
    add rsi, r12
    mov rax, r12
    ror rax, 14
    mov r9, r12
    ror r9, 18
    and rcx, r12
    add rdx, qword ptr [rsp + 1120]
    mov qword ptr [rsp + 1136], r14
    mov r14, qword ptr [rsp + 488]
    shr r14, 7
    xor rbp, r13
    xor r15, rbx
    mov rbx, qword ptr [rsp + 480]
    add rbx, qword ptr [rsp + 552]
    add r11, rsi
    mov r13, r12
    ror r13, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1128]
    add rdx, r8
    mov r9, rdi
    and r9, r10
    mov rsi, rdi
    xor rsi, r10
    xor r14, rbp
    add r15, rbx
    xor r13, rax
    mov rax, r11
    ror rax, 28
    mov rbx, r11
    ror rbx, 34
    add rcx, rdx
    and rsi, r11
    sub r9, r8
    add r14, r15
    mov qword ptr [rsp + 608], r14
    mov rdx, qword ptr [rsp + 600]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 600]
    ror rbp, 61
    mov r8, r11
    ror r8, 39
    xor rax, rbx
    add r13, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1136]
    xor rcx, r12
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 520]
    add rbx, r14
    mov r9, qword ptr [rsp + 496]
    ror r9, 1
    mov r15, qword ptr [rsp + 496]
    ror r15, 8
    mov r14, qword ptr [rsp + 600]
    shr r14, 6
    xor rdx, rbp
    xor r8, rax
    add rsi, r13
    mov rax, r13
    ror rax, 14
    mov rbp, r13
    ror rbp, 18
    and rcx, r13
    add rbx, qword ptr [rsp + 1128]
    mov qword ptr [rsp + 1144], r12
    mov r12, qword ptr [rsp + 496]
    shr r12, 7
    xor r9, r15
    xor r14, rdx
    mov rdx, qword ptr [rsp + 488]
    add rdx, qword ptr [rsp + 560]
    add r8, rsi
    mov r15, r13
    ror r15, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1136]
    add rbx, r10
    mov rbp, r11
    and rbp, rdi
    mov rsi, r11
    xor rsi, rdi
    xor r12, r9
    add r14, rdx
    xor r15, rax
    mov rax, r8
    ror rax, 28
    mov rdx, r8
    ror rdx, 34
    add rcx, rbx
    and rsi, r8
    sub rbp, r10
    add r12, r14
    mov qword ptr [rsp + 616], r12
    mov rbx, qword ptr [rsp + 608]
    ror rbx, 19
    mov r9, qword ptr [rsp + 608]
    ror r9, 61
    mov r10, r8
    ror r10, 39
    xor rax, rdx
    add r15, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1144]
    xor rcx, r13
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 528]
    add rdx, r12
    mov rbp, qword ptr [rsp + 504]
    ror rbp, 1
    mov r14, qword ptr [rsp + 504]
    ror r14, 8
    mov r12, qword ptr [rsp + 608]
    shr r12, 6
    xor rbx, r9
    xor r10, rax
    add rsi, r15
    mov rax, r15
    ror rax, 14
    mov r9, r15
    ror r9, 18
    and rcx, r15
    add rdx, qword ptr [rsp + 1136]
    mov qword ptr [rsp + 1152], r13
    mov r13, qword ptr [rsp + 504]
    shr r13, 7
    xor rbp, r14
    xor r12, rbx
    mov rbx, qword ptr [rsp + 496]
    add rbx, qword ptr [rsp + 568]
    add r10, rsi
    mov r14, r15
    ror r14, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1144]
    add rdx, rdi
    mov r9, r8
    and r9, r11
    mov rsi, r8
    xor rsi, r11
    xor r13, rbp
    add r12, rbx
    xor r14, rax
    mov rax, r10
    ror rax, 28
    mov rbx, r10
    ror rbx, 34
    add rcx, rdx
    and rsi, r10
    sub r9, rdi
    add r13, r12
    mov qword ptr [rsp + 624], r13
    mov rdx, qword ptr [rsp + 616]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 616]
    ror rbp, 61
    mov rdi, r10
    ror rdi, 39
    xor rax, rbx
    add r14, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1152]
    xor rcx, r15
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 536]
    add rbx, r13
    mov r9, qword ptr [rsp + 512]
    ror r9, 1
    mov r12, qword ptr [rsp + 512]
    ror r12, 8
    mov r13, qword ptr [rsp + 616]
    shr r13, 6
    xor rdx, rbp
    xor rdi, rax
    add rsi, r14
    mov rax, r14
    ror rax, 14
    mov rbp, r14
    ror rbp, 18
    and rcx, r14
    add rbx, qword ptr [rsp + 1144]
    mov qword ptr [rsp + 1160], r15
    mov r15, qword ptr [rsp + 512]
    shr r15, 7
    xor r9, r12
    xor r13, rdx
    mov rdx, qword ptr [rsp + 504]
    add rdx, qword ptr [rsp + 576]
    add rdi, rsi
    mov r12, r14
    ror r12, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1152]
    add rbx, r11
    mov rbp, r10
    and rbp, r8
    mov rsi, r10
    xor rsi, r8
    xor r15, r9
    add r13, rdx
    xor r12, rax
    mov rax, rdi
    ror rax, 28
    mov rdx, rdi
    ror rdx, 34
    add rcx, rbx
    and rsi, rdi
    sub rbp, r11
    add r15, r13
    mov qword ptr [rsp + 632], r15
    mov rbx, qword ptr [rsp + 624]
    ror rbx, 19
    mov r9, qword ptr [rsp + 624]
    ror r9, 61
    mov r11, rdi
    ror r11, 39
    xor rax, rdx
    add r12, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1160]
    xor rcx, r14
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 544]
    add rdx, r15
    mov rbp, qword ptr [rsp + 520]
    ror rbp, 1
    mov r13, qword ptr [rsp + 520]
    ror r13, 8
    mov r15, qword ptr [rsp + 624]
    shr r15, 6
    xor rbx, r9
    xor r11, rax
    add rsi, r12
    mov rax, r12
    ror rax, 14
    mov r9, r12
    ror r9, 18
    and rcx, r12
    add rdx, qword ptr [rsp + 1152]
    mov qword ptr [rsp + 1168], r14
    mov r14, qword ptr [rsp + 520]
    shr r14, 7
    xor rbp, r13
    xor r15, rbx
    mov rbx, qword ptr [rsp + 512]
    add rbx, qword ptr [rsp + 584]
    add r11, rsi
    mov r13, r12
    ror r13, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1160]
    add rdx, r8
    mov r9, rdi
    and r9, r10
    mov rsi, rdi
    xor rsi, r10
    xor r14, rbp
    add r15, rbx
    xor r13, rax
    mov rax, r11
    ror rax, 28
    mov rbx, r11
    ror rbx, 34
    add rcx, rdx
    and rsi, r11
    sub r9, r8
    add r14, r15
    mov qword ptr [rsp + 640], r14
    mov rdx, qword ptr [rsp + 632]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 632]
    ror rbp, 61
    mov r8, r11
    ror r8, 39
    xor rax, rbx
    add r13, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1168]
    xor rcx, r12
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 552]
    add rbx, r14
    mov r9, qword ptr [rsp + 528]
    ror r9, 1
    mov r15, qword ptr [rsp + 528]
    ror r15, 8
    mov r14, qword ptr [rsp + 632]
    shr r14, 6
    xor rdx, rbp
    xor r8, rax
    add rsi, r13
    mov rax, r13
    ror rax, 14
    mov rbp, r13
    ror rbp, 18
    and rcx, r13
    add rbx, qword ptr [rsp + 1160]
    mov qword ptr [rsp + 1176], r12
    mov r12, qword ptr [rsp + 528]
    shr r12, 7
    xor r9, r15
    xor r14, rdx
    mov rdx, qword ptr [rsp + 520]
    add rdx, qword ptr [rsp + 592]
    add r8, rsi
    mov r15, r13
    ror r15, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1168]
    add rbx, r10
    mov rbp, r11
    and rbp, rdi
    mov rsi, r11
    xor rsi, rdi
    xor r12, r9
    add r14, rdx
    xor r15, rax
    mov rax, r8
    ror rax, 28
    mov rdx, r8
    ror rdx, 34
    add rcx, rbx
    and rsi, r8
    sub rbp, r10
    add r12, r14
    mov qword ptr [rsp + 648], r12
    mov rbx, qword ptr [rsp + 640]
    ror rbx, 19
    mov r9, qword ptr [rsp + 640]
    ror r9, 61
    mov r10, r8
    ror r10, 39
    xor rax, rdx
    add r15, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1176]
    xor rcx, r13
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 560]
    add rdx, r12
    mov rbp, qword ptr [rsp + 536]
    ror rbp, 1
    mov r14, qword ptr [rsp + 536]
    ror r14, 8
    mov r12, qword ptr [rsp + 640]
    shr r12, 6
    xor rbx, r9
    xor r10, rax
    add rsi, r15
    mov rax, r15
    ror rax, 14
    mov r9, r15
    ror r9, 18
    and rcx, r15
    add rdx, qword ptr [rsp + 1168]
    mov qword ptr [rsp + 1184], r13
    mov r13, qword ptr [rsp + 536]
    shr r13, 7
    xor rbp, r14
    xor r12, rbx
    mov rbx, qword ptr [rsp + 528]
    add rbx, qword ptr [rsp + 600]
    add r10, rsi
    mov r14, r15
    ror r14, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1176]
    add rdx, rdi
    mov r9, r8
    and r9, r11
    mov rsi, r8
    xor rsi, r11
    xor r13, rbp
    add r12, rbx
    xor r14, rax
    mov rax, r10
    ror rax, 28
    mov rbx, r10
    ror rbx, 34
    add rcx, rdx
    and rsi, r10
    sub r9, rdi
    add r13, r12
    mov qword ptr [rsp + 656], r13
    mov rdx, qword ptr [rsp + 648]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 648]
    ror rbp, 61
    mov rdi, r10
    ror rdi, 39
    xor rax, rbx
    add r14, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1184]
    xor rcx, r15
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 568]
    add rbx, r13
    mov r9, qword ptr [rsp + 544]
    ror r9, 1
    mov r12, qword ptr [rsp + 544]
    ror r12, 8
    mov r13, qword ptr [rsp + 648]
    shr r13, 6
    xor rdx, rbp
    xor rdi, rax
    add rsi, r14
    mov rax, r14
    ror rax, 14
    mov rbp, r14
    ror rbp, 18
    and rcx, r14
    add rbx, qword ptr [rsp + 1176]
    mov qword ptr [rsp + 1192], r15
    mov r15, qword ptr [rsp + 544]
    shr r15, 7
    xor r9, r12
    xor r13, rdx
    mov rdx, qword ptr [rsp + 536]
    add rdx, qword ptr [rsp + 608]
    add rdi, rsi
    mov r12, r14
    ror r12, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1184]
    add rbx, r11
    mov rbp, r10
    and rbp, r8
    mov rsi, r10
    xor rsi, r8
    xor r15, r9
    add r13, rdx
    xor r12, rax
    mov rax, rdi
    ror rax, 28
    mov rdx, rdi
    ror rdx, 34
    add rcx, rbx
    and rsi, rdi
    sub rbp, r11
    add r15, r13
    mov qword ptr [rsp + 664], r15
    mov rbx, qword ptr [rsp + 656]
    ror rbx, 19
    mov r9, qword ptr [rsp + 656]
    ror r9, 61
    mov r11, rdi
    ror r11, 39
    xor rax, rdx
    add r12, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1192]
    xor rcx, r14
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 576]
    add rdx, r15
    mov rbp, qword ptr [rsp + 552]
    ror rbp, 1
    mov r13, qword ptr [rsp + 552]
    ror r13, 8
    mov r15, qword ptr [rsp + 656]
    shr r15, 6
    xor rbx, r9
    xor r11, rax
    add rsi, r12
    mov rax, r12
    ror rax, 14
    mov r9, r12
    ror r9, 18
    and rcx, r12
    add rdx, qword ptr [rsp + 1184]
    mov qword ptr [rsp + 1200], r14
    mov r14, qword ptr [rsp + 552]
    shr r14, 7
    xor rbp, r13
    xor r15, rbx
    mov rbx, qword ptr [rsp + 544]
    add rbx, qword ptr [rsp + 616]
    add r11, rsi
    mov r13, r12
    ror r13, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1192]
    add rdx, r8
    mov r9, rdi
    and r9, r10
    mov rsi, rdi
    xor rsi, r10
    xor r14, rbp
    add r15, rbx
    xor r13, rax
    mov rax, r11
    ror rax, 28
    mov rbx, r11
    ror rbx, 34
    add rcx, rdx
    and rsi, r11
    sub r9, r8
    add r14, r15
    mov qword ptr [rsp + 672], r14
    mov rdx, qword ptr [rsp + 664]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 664]
    ror rbp, 61
    mov r8, r11
    ror r8, 39
    xor rax, rbx
    add r13, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1200]
    xor rcx, r12
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 584]
    add rbx, r14
    mov r9, qword ptr [rsp + 560]
    ror r9, 1
    mov r15, qword ptr [rsp + 560]
    ror r15, 8
    mov r14, qword ptr [rsp + 664]
    shr r14, 6
    xor rdx, rbp
    xor r8, rax
    add rsi, r13
    mov rax, r13
    ror rax, 14
    mov rbp, r13
    ror rbp, 18
    and rcx, r13
    add rbx, qword ptr [rsp + 1192]
    mov qword ptr [rsp + 1208], r12
    mov r12, qword ptr [rsp + 560]
    shr r12, 7
    xor r9, r15
    xor r14, rdx
    mov rdx, qword ptr [rsp + 552]
    add rdx, qword ptr [rsp + 624]
    add r8, rsi
    mov r15, r13
    ror r15, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1200]
    add rbx, r10
    mov rbp, r11
    and rbp, rdi
    mov rsi, r11
    xor rsi, rdi
    xor r12, r9
    add r14, rdx
    xor r15, rax
    mov rax, r8
    ror rax, 28
    mov rdx, r8
    ror rdx, 34
    add rcx, rbx
    and rsi, r8
    sub rbp, r10
    add r12, r14
    mov qword ptr [rsp + 680], r12
    mov rbx, qword ptr [rsp + 672]
    ror rbx, 19
    mov r9, qword ptr [rsp + 672]
    ror r9, 61
    mov r10, r8
    ror r10, 39
    xor rax, rdx
    add r15, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1208]
    xor rcx, r13
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 592]
    add rdx, r12
    mov rbp, qword ptr [rsp + 568]
    ror rbp, 1
    mov r14, qword ptr [rsp + 568]
    ror r14, 8
    mov r12, qword ptr [rsp + 672]
    shr r12, 6
    xor rbx, r9
    xor r10, rax
    add rsi, r15
    mov rax, r15
    ror rax, 14
    mov r9, r15
    ror r9, 18
    and rcx, r15
    add rdx, qword ptr [rsp + 1200]
    mov qword ptr [rsp + 1216], r13
    mov r13, qword ptr [rsp + 568]
    shr r13, 7
    xor rbp, r14
    xor r12, rbx
    mov rbx, qword ptr [rsp + 560]
    add rbx, qword ptr [rsp + 632]
    add r10, rsi
    mov r14, r15
    ror r14, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1208]
    add rdx, rdi
    mov r9, r8
    and r9, r11
    mov rsi, r8
    xor rsi, r11
    xor r13, rbp
    add r12, rbx
    xor r14, rax
    mov rax, r10
    ror rax, 28
    mov rbx, r10
    ror rbx, 34
    add rcx, rdx
    and rsi, r10
    sub r9, rdi
    add r13, r12
    mov qword ptr [rsp + 688], r13
    mov rdx, qword ptr [rsp + 680]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 680]
    ror rbp, 61
    mov rdi, r10
    ror rdi, 39
    xor rax, rbx
    add r14, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1216]
    xor rcx, r15
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 600]
    add rbx, r13
    mov r9, qword ptr [rsp + 576]
    ror r9, 1
    mov r12, qword ptr [rsp + 576]
    ror r12, 8
    mov r13, qword ptr [rsp + 680]
    shr r13, 6
    xor rdx, rbp
    xor rdi, rax
    add rsi, r14
    mov rax, r14
    ror rax, 14
    mov rbp, r14
    ror rbp, 18
    and rcx, r14
    add rbx, qword ptr [rsp + 1208]
    mov qword ptr [rsp + 1224], r15
    mov r15, qword ptr [rsp + 576]
    shr r15, 7
    xor r9, r12
    xor r13, rdx
    mov rdx, qword ptr [rsp + 568]
    add rdx, qword ptr [rsp + 640]
    add rdi, rsi
    mov r12, r14
    ror r12, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1216]
    add rbx, r11
    mov rbp, r10
    and rbp, r8
    mov rsi, r10
    xor rsi, r8
    xor r15, r9
    add r13, rdx
    xor r12, rax
    mov rax, rdi
    ror rax, 28
    mov rdx, rdi
    ror rdx, 34
    add rcx, rbx
    and rsi, rdi
    sub rbp, r11
    add r15, r13
    mov qword ptr [rsp + 696], r15
    mov rbx, qword ptr [rsp + 688]
    ror rbx, 19
    mov r9, qword ptr [rsp + 688]
    ror r9, 61
    mov r11, rdi
    ror r11, 39
    xor rax, rdx
    add r12, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1224]
    xor rcx, r14
    mov rdx, qword ptr [rip + .Lsha512_x86_64_k + 608]
    add rdx, r15
    mov rbp, qword ptr [rsp + 584]
    ror rbp, 1
    mov r13, qword ptr [rsp + 584]
    ror r13, 8
    mov r15, qword ptr [rsp + 688]
    shr r15, 6
    xor rbx, r9
    xor r11, rax
    add rsi, r12
    mov rax, r12
    ror rax, 14
    mov r9, r12
    ror r9, 18
    and rcx, r12
    add rdx, qword ptr [rsp + 1216]
    mov qword ptr [rsp + 1232], r14
    mov r14, qword ptr [rsp + 584]
    shr r14, 7
    xor rbp, r13
    xor r15, rbx
    mov rbx, qword ptr [rsp + 576]
    add rbx, qword ptr [rsp + 648]
    add r11, rsi
    mov r13, r12
    ror r13, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1224]
    add rdx, r8
    mov r9, rdi
    and r9, r10
    mov rsi, rdi
    xor rsi, r10
    xor r14, rbp
    add r15, rbx
    xor r13, rax
    mov rax, r11
    ror rax, 28
    mov rbx, r11
    ror rbx, 34
    add rcx, rdx
    and rsi, r11
    sub r9, r8
    add r14, r15
    mov qword ptr [rsp + 704], r14
    mov rdx, qword ptr [rsp + 696]
    ror rdx, 19
    mov rbp, qword ptr [rsp + 696]
    ror rbp, 61
    mov r8, r11
    ror r8, 39
    xor rax, rbx
    add r13, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1232]
    xor rcx, r12
    mov rbx, qword ptr [rip + .Lsha512_x86_64_k + 616]
    add rbx, r14
    mov r9, qword ptr [rsp + 592]
    ror r9, 1
    mov r15, qword ptr [rsp + 592]
    ror r15, 8
    mov r14, qword ptr [rsp + 696]
    shr r14, 6
    xor rdx, rbp
    xor r8, rax
    add rsi, r13
    mov rax, r13
    ror rax, 14
    mov rbp, r13
    ror rbp, 18
    and rcx, r13
    add rbx, qword ptr [rsp + 1224]
    mov qword ptr [rsp + 1240], r12
    mov r12, qword ptr [rsp + 592]
    shr r12, 7
    xor r9, r15
    xor r14, rdx
    mov rdx, qword ptr [rsp + 584]
    add rdx, qword ptr [rsp + 656]
    add r8, rsi
    mov r15, r13
    ror r15, 41
    xor rax, rbp
    xor rcx, qword ptr [rsp + 1232]
    add rbx, r10
    mov rbp, r11
    and rbp, rdi
    mov rsi, r11
    xor rsi, rdi
    xor r12, r9
    add r14, rdx
    xor r15, rax
    mov rax, r8
    ror rax, 28
    mov rdx, r8
    ror rdx, 34
    add rcx, rbx
    and rsi, r8
    sub rbp, r10
    add r12, r14
    mov rbx, qword ptr [rsp + 704]
    ror rbx, 19
    mov r9, qword ptr [rsp + 704]
    ror r9, 61
    mov r10, r8
    ror r10, 39
    xor rax, rdx
    add r15, rcx
    add rsi, rbp
    mov rcx, qword ptr [rsp + 1240]
    xor rcx, r13
    add r12, qword ptr [rip + .Lsha512_x86_64_k + 624]
    mov rdx, qword ptr [rsp + 600]
    ror rdx, 1
    mov rbp, qword ptr [rsp + 600]
    ror rbp, 8
    mov r14, qword ptr [rsp + 704]
    shr r14, 6
    xor rbx, r9
    xor r10, rax
    add rsi, r15
    mov rax, r15
    ror rax, 14
    mov r9, r15
    ror r9, 18
    and rcx, r15
    add r12, qword ptr [rsp + 1232]
    mov qword ptr [rsp + 1248], r13
    mov r13, qword ptr [rsp + 600]
    shr r13, 7
    xor rdx, rbp
    xor r14, rbx
    mov rbx, qword ptr [rsp + 592]
    add rbx, qword ptr [rsp + 664]
    add r10, rsi
    mov rbp, r15
    ror rbp, 41
    xor rax, r9
    xor rcx, qword ptr [rsp + 1240]
    add r12, rdi
    mov r9, r8
    and r9, r11
    mov rsi, r8
    xor rsi, r11
    xor r13, rdx
    add r14, rbx
    xor rbp, rax
    mov rax, r10
    ror rax, 28
    mov rdx, r10
    ror rdx, 34
    add rcx, r12
    and rsi, r10
    sub r9, rdi
    add r13, r14
    mov rbx, r10
    ror rbx, 39
    xor rax, rdx
    add rbp, rcx
    add rsi, r9
    mov rcx, qword ptr [rsp + 1248]
    xor rcx, r15
    add r13, qword ptr [rip + .Lsha512_x86_64_k + 632]
    xor rbx, rax
    add rsi, rbp
    mov rax, rbp
    ror rax, 14
    mov rdx, rbp
    ror rdx, 18
    and rcx, rbp
    add r13, qword ptr [rsp + 1240]
    add rbx, rsi
    mov rdi, rbp
    ror rdi, 41
    xor rax, rdx
    xor rcx, qword ptr [rsp + 1248]
    add r13, r11
    mov rdx, r10
    and rdx, r8
    mov r9, r10
    xor r9, r8
    xor rdi, rax
    mov rax, rbx
    ror rax, 28
    mov r12, rbx
    ror r12, 34
    add rcx, r13
    and r9, rbx
    sub rdx, r11
    mov r11, rbx
    ror r11, 39
    xor rax, r12
    add rdi, rcx
    add r9, rdx
    xor r11, rax
    add r9, rdi
    add r11, r9
    add r11, qword ptr [rsp]
    add rbx, qword ptr [rsp + 8]
    add r10, qword ptr [rsp + 16]
    add r8, qword ptr [rsp + 24]
    add rdi, qword ptr [rsp + 32]
    add rbp, qword ptr [rsp + 40]
    add r15, qword ptr [rsp + 48]
    mov rax, qword ptr [rsp + 56]
    add rax, qword ptr [rsp + 1248]
    mov qword ptr [rsp], r11
    mov qword ptr [rsp + 8], rbx
    mov qword ptr [rsp + 16], r10
    mov qword ptr [rsp + 24], r8
    mov qword ptr [rsp + 32], rdi
    mov qword ptr [rsp + 40], rbp
    mov qword ptr [rsp + 48], r15
    mov qword ptr [rsp + 56], rax
    mov rcx, rbx
    mov r9, rax
    mov rax, r11
    mov rdx, r10
    mov rbx, r8
    mov r8, r15
    mov r10, rbp
    mov rbp, rdi
    mov rdi, r10
    sub qword ptr [rsp + 80], 1
    jnz .Lsha512_x86_64_block
    mov rsi, qword ptr [rsp + 64]
    mov qword ptr [rsi], rax
    mov qword ptr [rsi + 8], rcx
    mov qword ptr [rsi + 16], rdx
    mov qword ptr [rsi + 24], rbx
    mov qword ptr [rsi + 32], rbp
    mov qword ptr [rsi + 48], r8
    mov qword ptr [rsi + 56], r9
    mov qword ptr [rsi + 40], rdi
    add rsp, 1256
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
.Lsha512_x86_64_end:
    ret
    .cfi_endproc
    .p2align 6
.Lsha512_x86_64_k:
    .quad 0x428a2f98d728ae22
    .quad 0x7137449123ef65cd
    .quad 0xb5c0fbcfec4d3b2f
    .quad 0xe9b5dba58189dbbc
    .quad 0x3956c25bf348b538
    .quad 0x59f111f1b605d019
    .quad 0x923f82a4af194f9b
    .quad 0xab1c5ed5da6d8118
    .quad 0xd807aa98a3030242
    .quad 0x12835b0145706fbe
    .quad 0x243185be4ee4b28c
    .quad 0x550c7dc3d5ffb4e2
    .quad 0x72be5d74f27b896f
    .quad 0x80deb1fe3b1696b1
    .quad 0x9bdc06a725c71235
    .quad 0xc19bf174cf692694
    .quad 0xe49b69c19ef14ad2
    .quad 0xefbe4786384f25e3
    .quad 0x0fc19dc68b8cd5b5
    .quad 0x240ca1cc77ac9c65
    .quad 0x2de92c6f592b0275
    .quad 0x4a7484aa6ea6e483
    .quad 0x5cb0a9dcbd41fbd4
    .quad 0x76f988da831153b5
    .quad 0x983e5152ee66dfab
    .quad 0xa831c66d2db43210
    .quad 0xb00327c898fb213f
    .quad 0xbf597fc7beef0ee4
    .quad 0xc6e00bf33da88fc2
    .quad 0xd5a79147930aa725
    .quad 0x06ca6351e003826f
    .quad 0x142929670a0e6e70
    .quad 0x27b70a8546d22ffc
    .quad 0x2e1b21385c26c926
    .quad 0x4d2c6dfc5ac42aed
    .quad 0x53380d139d95b3df
    .quad 0x650a73548baf63de
    .quad 0x766a0abb3c77b2a8
    .quad 0x81c2c92e47edaee6
    .quad 0x92722c851482353b
    .quad 0xa2bfe8a14cf10364
    .quad 0xa81a664bbc423001
    .quad 0xc24b8b70d0f89791
    .quad 0xc76c51a30654be30
    .quad 0xd192e819d6ef5218
    .quad 0xd69906245565a910
    .quad 0xf40e35855771202a
    .quad 0x106aa07032bbd1b8
    .quad 0x19a4c116b8d2d0c8
    .quad 0x1e376c085141ab53
    .quad 0x2748774cdf8eeb99
    .quad 0x34b0bcb5e19b48a8
    .quad 0x391c0cb3c5c95a63
    .quad 0x4ed8aa4ae3418acb
    .quad 0x5b9cca4f7763e373
    .quad 0x682e6ff3d6b2b8a3
    .quad 0x748f82ee5defb2fc
    .quad 0x78a5636f43172f60
    .quad 0x84c87814a1f0ab72
    .quad 0x8cc702081a6439ec
    .quad 0x90befffa23631e28
    .quad 0xa4506cebde82bde9
    .quad 0xbef9a3f7b2c67915
    .quad 0xc67178f2e372532b
    .quad 0xca273eceea26619c
    .quad 0xd186b8c721c0c207
    .quad 0xeada7dd6cde0eb1e
    .quad 0xf57d4f7fee6ed178
    .quad 0x06f067aa72176fba
    .quad 0x0a637dc5a2c898a6
    .quad 0x113f9804bef90dae
    .quad 0x1b710b35131c471b
    .quad 0x28db77f523047d84
    .quad 0x32caab7b40c72493
    .quad 0x3c9ebe0a15c9bebc
    .quad 0x431d67c49c100d4c
    .quad 0x4cc5d4becb3e42b6
    .quad 0x597f299cfc657e2a
    .quad 0x5fcb6fab3ad6faec
    .quad 0x6c44198c4a475817
