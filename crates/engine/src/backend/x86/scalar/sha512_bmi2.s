    .cfi_startproc
    test rdx, rdx
    jz .Lsha512_bmi2_end
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
    sub rsp, 1424
    .cfi_def_cfa_offset 1480
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
.Lsha512_bmi2_block:
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
    add r10, qword ptr [rip + .Lsha512_bmi2_k]
    add r9, r10
    rorx r10, rbp, 14
    rorx r11, rbp, 18
    add r9, rbx
    andn r12, rbp, r8
    rorx r13, rbp, 41
    xor r10, r11
    mov r11, rdi
    and r11, rbp
    mov r14, rdx
    and r14, rcx
    mov r15, rdx
    xor r15, rcx
    add r9, r12
    rorx r12, rax, 28
    rorx rsi, rax, 34
    mov rbp, qword ptr [rsp + 96]
    add rbp, qword ptr [rip + .Lsha512_bmi2_k + 8]
    xor r13, r10
    and r15, rax
    add r11, r9
    sub r14, rbx
    rorx rbx, rax, 39
    add r8, rbp
    xor r12, rsi
    add r13, r11
    add r15, r14
    add r8, rdx
    xor rbx, r12
    add r15, r13
    rorx rbp, r13, 14
    rorx r9, r13, 18
    andn r10, r13, rdi
    mov r11, rcx
    and r11, rax
    mov r12, rcx
    xor r12, rax
    add rbx, r15
    rorx r14, r13, 41
    xor rbp, r9
    mov r9, qword ptr [rsp + 32]
    and r9, r13
    add r8, r10
    mov r10, qword ptr [rsp + 104]
    add r10, qword ptr [rip + .Lsha512_bmi2_k + 16]
    xor r14, rbp
    rorx rbp, rbx, 28
    rorx r15, rbx, 34
    add r9, r8
    and r12, rbx
    sub r11, rdx
    add rdi, r10
    rorx rdx, rbx, 39
    xor rbp, r15
    add r14, r9
    add r12, r11
    add rdi, rcx
    xor rdx, rbp
    add r12, r14
    rorx rbp, r14, 14
    rorx r8, r14, 18
    andn r9, r14, qword ptr [rsp + 32]
    add rdx, r12
    rorx r10, r14, 41
    xor rbp, r8
    mov r8, r14
    and r8, r13
    add rdi, r9
    mov r9, rbx
    and r9, rax
    mov r11, rbx
    xor r11, rax
    mov r12, qword ptr [rsp + 112]
    add r12, qword ptr [rip + .Lsha512_bmi2_k + 24]
    xor r10, rbp
    rorx rbp, rdx, 28
    rorx r15, rdx, 34
    add r8, rdi
    and r11, rdx
    sub r9, rcx
    add r12, qword ptr [rsp + 32]
    rorx rcx, rdx, 39
    xor rbp, r15
    add r10, r8
    add r11, r9
    add r12, rax
    xor rcx, rbp
    add r11, r10
    rorx rbp, r10, 14
    rorx rdi, r10, 18
    andn r8, r10, r13
    add rcx, r11
    rorx r9, r10, 41
    xor rbp, rdi
    mov rdi, r10
    and rdi, r14
    add r12, r8
    mov r8, rdx
    and r8, rbx
    mov r11, rdx
    xor r11, rbx
    mov r15, qword ptr [rsp + 120]
    add r15, qword ptr [rip + .Lsha512_bmi2_k + 32]
    xor r9, rbp
    rorx rbp, rcx, 28
    rorx rsi, rcx, 34
    add rdi, r12
    and r11, rcx
    sub r8, rax
    rorx rax, rcx, 39
    xor rbp, rsi
    add r9, rdi
    add r11, r8
    add r15, r13
    xor rax, rbp
    add r11, r9
    rorx rbp, r9, 14
    rorx rdi, r9, 18
    andn r8, r9, r14
    add r15, rbx
    add rax, r11
    rorx r11, r9, 41
    xor rbp, rdi
    mov rdi, r9
    and rdi, r10
    add r8, r15
    mov r12, rcx
    and r12, rdx
    mov r13, rcx
    xor r13, rdx
    mov r15, qword ptr [rsp + 128]
    add r15, qword ptr [rip + .Lsha512_bmi2_k + 40]
    xor r11, rbp
    rorx rbp, rax, 28
    rorx rsi, rax, 34
    add rdi, r8
    and r13, rax
    sub r12, rbx
    rorx rbx, rax, 39
    xor rbp, rsi
    add r11, rdi
    add r13, r12
    add r15, r14
    xor rbx, rbp
    add r13, r11
    rorx rbp, r11, 14
    rorx rdi, r11, 18
    andn r8, r11, r10
    add r15, rdx
    add rbx, r13
    rorx r12, r11, 41
    xor rbp, rdi
    mov rdi, r11
    and rdi, r9
    add r8, r15
    mov r13, rax
    and r13, rcx
    mov r14, rax
    xor r14, rcx
    mov r15, qword ptr [rsp + 136]
    add r15, qword ptr [rip + .Lsha512_bmi2_k + 48]
    xor r12, rbp
    rorx rbp, rbx, 28
    rorx rsi, rbx, 34
    add rdi, r8
    and r14, rbx
    sub r13, rdx
    rorx rdx, rbx, 39
    xor rbp, rsi
    add r12, rdi
    add r14, r13
    add r15, r10
    xor rdx, rbp
    add r14, r12
    rorx rbp, r12, 14
    rorx rdi, r12, 18
    andn r8, r12, r9
    add r15, rcx
    add rdx, r14
    rorx r10, r12, 41
    xor rbp, rdi
    mov rdi, r12
    and rdi, r11
    add r8, r15
    mov r13, rbx
    and r13, rax
    mov r14, rbx
    xor r14, rax
    mov r15, qword ptr [rsp + 144]
    add r15, qword ptr [rip + .Lsha512_bmi2_k + 56]
    xor r10, rbp
    rorx rbp, rdx, 28
    rorx rsi, rdx, 34
    add rdi, r8
    and r14, rdx
    sub r13, rcx
    rorx rcx, rdx, 39
    xor rbp, rsi
    add r10, rdi
    add r14, r13
    add r15, r9
    xor rcx, rbp
    add r14, r10
    rorx rbp, r10, 14
    rorx rdi, r10, 18
    andn r8, r10, r11
    add r15, rax
    add rcx, r14
    rorx r9, r10, 41
    xor rbp, rdi
    mov rdi, r10
    and rdi, r12
    add r8, r15
    mov r13, rdx
    and r13, rbx
    mov r14, rdx
    xor r14, rbx
    mov r15, qword ptr [rsp + 152]
    add r15, qword ptr [rip + .Lsha512_bmi2_k + 64]
    xor r9, rbp
    rorx rbp, rcx, 28
    rorx rsi, rcx, 34
    add rdi, r8
    and r14, rcx
    sub r13, rax
    rorx rax, rcx, 39
    xor rbp, rsi
    add r9, rdi
    add r14, r13
    add r15, r11
    xor rax, rbp
    add r14, r9
    rorx rbp, r9, 14
    rorx rdi, r9, 18
    andn r8, r9, r12
    add r15, rbx
    add rax, r14
    rorx r11, r9, 41
    xor rbp, rdi
    mov rdi, r9
    and rdi, r10
    add r8, r15
    mov r13, rcx
    and r13, rdx
    mov r14, rcx
    xor r14, rdx
    mov r15, qword ptr [rsp + 160]
    add r15, qword ptr [rip + .Lsha512_bmi2_k + 72]
    xor r11, rbp
    rorx rbp, rax, 28
    rorx rsi, rax, 34
    add rdi, r8
    and r14, rax
    sub r13, rbx
    rorx rbx, rax, 39
    xor rbp, rsi
    add r11, rdi
    add r14, r13
    add r15, r12
    xor rbx, rbp
    add r14, r11
    rorx rbp, r11, 14
    rorx rdi, r11, 18
    andn r8, r11, r10
    add r15, rdx
    add rbx, r14
    rorx r12, r11, 41
    xor rbp, rdi
    mov rdi, r11
    and rdi, r9
    add r8, r15
    mov r13, rax
    and r13, rcx
    mov r14, rax
    xor r14, rcx
    mov r15, qword ptr [rsp + 168]
    add r15, qword ptr [rip + .Lsha512_bmi2_k + 80]
    xor r12, rbp
    rorx rbp, rbx, 28
    rorx rsi, rbx, 34
    add rdi, r8
    and r14, rbx
    sub r13, rdx
    rorx rdx, rbx, 39
    xor rbp, rsi
    add r12, rdi
    add r14, r13
    add r15, r10
    xor rdx, rbp
    add r14, r12
    rorx rbp, r12, 14
    rorx rdi, r12, 18
    andn r8, r12, r9
    add r15, rcx
    add rdx, r14
    rorx r10, r12, 41
    xor rbp, rdi
    mov rdi, r12
    and rdi, r11
    add r8, r15
    mov r13, rbx
    and r13, rax
    mov r14, rbx
    xor r14, rax
    mov r15, qword ptr [rsp + 176]
    add r15, qword ptr [rip + .Lsha512_bmi2_k + 88]
    xor r10, rbp
    rorx rbp, rdx, 28
    rorx rsi, rdx, 34
    add rdi, r8
    and r14, rdx
    sub r13, rcx
    rorx rcx, rdx, 39
    xor rbp, rsi
    add r10, rdi
    add r14, r13
    add r15, r9
    xor rcx, rbp
    add r14, r10
    rorx rbp, r10, 14
    rorx rdi, r10, 18
    andn r8, r10, r11
    add r15, rax
    add rcx, r14
    rorx r9, r10, 41
    xor rbp, rdi
    mov rdi, r10
    and rdi, r12
    add r8, r15
    mov r13, rdx
    and r13, rbx
    mov r14, rdx
    xor r14, rbx
    mov r15, qword ptr [rsp + 184]
    add r15, qword ptr [rip + .Lsha512_bmi2_k + 96]
    xor r9, rbp
    rorx rbp, rcx, 28
    rorx rsi, rcx, 34
    add rdi, r8
    and r14, rcx
    sub r13, rax
    rorx rax, rcx, 39
    xor rbp, rsi
    add r9, rdi
    add r14, r13
    add r15, r11
    xor rax, rbp
    add r14, r9
    rorx rbp, r9, 14
    rorx rdi, r9, 18
    andn r8, r9, r12
    add r15, rbx
    add rax, r14
    rorx r11, r9, 41
    xor rbp, rdi
    mov rdi, r9
    and rdi, r10
    add r8, r15
    mov r13, rcx
    and r13, rdx
    mov r14, rcx
    xor r14, rdx
    mov r15, qword ptr [rsp + 192]
    add r15, qword ptr [rip + .Lsha512_bmi2_k + 104]
    xor r11, rbp
    rorx rbp, rax, 28
    rorx rsi, rax, 34
    add rdi, r8
    and r14, rax
    sub r13, rbx
    rorx rbx, rax, 39
    xor rbp, rsi
    add r11, rdi
    add r14, r13
    add r15, r12
    xor rbx, rbp
    add r14, r11
    rorx rbp, r11, 14
    rorx rdi, r11, 18
    andn r8, r11, r10
    add r15, rdx
    add rbx, r14
    rorx r12, r11, 41
    xor rbp, rdi
    mov rdi, r11
    and rdi, r9
    add r8, r15
    mov r13, rax
    and r13, rcx
    mov r14, rax
    xor r14, rcx
    mov r15, qword ptr [rsp + 200]
    add r15, qword ptr [rip + .Lsha512_bmi2_k + 112]
    xor r12, rbp
    rorx rbp, rbx, 28
    rorx rsi, rbx, 34
    add rdi, r8
    and r14, rbx
    sub r13, rdx
    rorx rdx, rbx, 39
    xor rbp, rsi
    add r12, rdi
    add r14, r13
    add r15, r10
    xor rdx, rbp
    add r14, r12
    rorx rbp, r12, 14
    rorx rdi, r12, 18
    andn r8, r12, r9
    add r15, rcx
    rorx r10, qword ptr [rsp + 200], 19
    rorx r13, qword ptr [rsp + 200], 61
    add rdx, r14
    rorx r14, r12, 41
    xor rbp, rdi
    mov rdi, r12
    and rdi, r11
    add r8, r15
    mov r15, rbx
    and r15, rax
    mov rsi, rbx
    xor rsi, rax
    mov qword ptr [rsp + 728], rbx
    mov rbx, qword ptr [rsp + 208]
    add rbx, qword ptr [rip + .Lsha512_bmi2_k + 120]
    mov qword ptr [rsp + 736], r12
    rorx r12, qword ptr [rsp + 96], 1
    mov qword ptr [rsp + 744], rax
    rorx rax, qword ptr [rsp + 96], 8
    mov qword ptr [rsp + 752], r11
    mov r11, qword ptr [rsp + 200]
    shr r11, 6
    xor r10, r13
    xor r14, rbp
    rorx rbp, rdx, 28
    rorx r13, rdx, 34
    add rdi, r8
    and rsi, rdx
    sub r15, rcx
    mov rcx, qword ptr [rsp + 96]
    shr rcx, 7
    xor r12, rax
    xor r11, r10
    rorx rax, rdx, 39
    xor rbp, r13
    add r14, rdi
    add rsi, r15
    add rbx, r9
    mov rdi, qword ptr [rsp + 88]
    add rdi, qword ptr [rsp + 160]
    xor rcx, r12
    xor rax, rbp
    add rsi, r14
    rorx rbp, r14, 14
    rorx r8, r14, 18
    andn r9, r14, qword ptr [rsp + 752]
    add rbx, qword ptr [rsp + 744]
    add r11, rdi
    rorx rdi, qword ptr [rsp + 208], 19
    rorx r10, qword ptr [rsp + 208], 61
    add rax, rsi
    rorx r12, r14, 41
    xor rbp, r8
    mov r8, qword ptr [rsp + 736]
    and r8, r14
    add r9, rbx
    mov rbx, qword ptr [rsp + 728]
    and rbx, rdx
    mov r13, qword ptr [rsp + 728]
    xor r13, rdx
    add rcx, r11
    mov qword ptr [rsp + 216], rcx
    rorx r11, qword ptr [rsp + 104], 1
    rorx r15, qword ptr [rsp + 104], 8
    mov rsi, qword ptr [rsp + 208]
    shr rsi, 6
    xor rdi, r10
    xor r12, rbp
    rorx rbp, rax, 28
    rorx r10, rax, 34
    add r8, r9
    and r13, rax
    sub rbx, qword ptr [rsp + 744]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 128]
    add r9, rcx
    mov rcx, qword ptr [rsp + 104]
    shr rcx, 7
    xor r11, r15
    xor rsi, rdi
    rorx rdi, rax, 39
    xor rbp, r10
    add r12, r8
    add r13, rbx
    add r9, qword ptr [rsp + 752]
    mov rbx, qword ptr [rsp + 96]
    add rbx, qword ptr [rsp + 168]
    xor rcx, r11
    xor rdi, rbp
    add r13, r12
    rorx rbp, r12, 14
    rorx r8, r12, 18
    andn r10, r12, qword ptr [rsp + 736]
    add r9, qword ptr [rsp + 728]
    add rsi, rbx
    add rdi, r13
    rorx rbx, r12, 41
    xor rbp, r8
    mov r8, r12
    and r8, r14
    add r10, r9
    mov r9, rax
    and r9, rdx
    mov r11, rax
    xor r11, rdx
    add rcx, rsi
    mov qword ptr [rsp + 224], rcx
    rorx r13, qword ptr [rsp + 216], 19
    rorx r15, qword ptr [rsp + 216], 61
    rorx rsi, qword ptr [rsp + 112], 1
    rorx rcx, qword ptr [rsp + 112], 8
    xor rbx, rbp
    rorx rbp, rdi, 28
    mov qword ptr [rsp + 760], rax
    rorx rax, rdi, 34
    add r8, r10
    and r11, rdi
    sub r9, qword ptr [rsp + 728]
    mov r10, qword ptr [rsp + 224]
    add r10, qword ptr [rip + .Lsha512_bmi2_k + 136]
    mov qword ptr [rsp + 768], r12
    mov r12, qword ptr [rsp + 216]
    shr r12, 6
    xor r13, r15
    mov r15, qword ptr [rsp + 112]
    shr r15, 7
    xor rsi, rcx
    rorx rcx, rdi, 39
    xor rbp, rax
    add rbx, r8
    add r11, r9
    add r10, qword ptr [rsp + 736]
    xor r12, r13
    mov rax, qword ptr [rsp + 104]
    add rax, qword ptr [rsp + 176]
    xor r15, rsi
    xor rcx, rbp
    add r11, rbx
    rorx rbp, rbx, 14
    rorx r8, rbx, 18
    andn r9, rbx, r14
    add r10, rdx
    add r12, rax
    add rcx, r11
    rorx rax, rbx, 41
    xor rbp, r8
    mov r8, qword ptr [rsp + 768]
    and r8, rbx
    add r9, r10
    mov r10, qword ptr [rsp + 760]
    and r10, rdi
    mov r11, qword ptr [rsp + 760]
    xor r11, rdi
    add r15, r12
    mov qword ptr [rsp + 232], r15
    rorx r12, qword ptr [rsp + 224], 19
    rorx r13, qword ptr [rsp + 224], 61
    rorx rsi, qword ptr [rsp + 120], 1
    rorx r15, qword ptr [rsp + 120], 8
    xor rax, rbp
    rorx rbp, rcx, 28
    mov qword ptr [rsp + 776], rdi
    rorx rdi, rcx, 34
    add r8, r9
    and r11, rcx
    sub r10, rdx
    mov rdx, qword ptr [rsp + 232]
    add rdx, qword ptr [rip + .Lsha512_bmi2_k + 144]
    mov r9, qword ptr [rsp + 224]
    shr r9, 6
    xor r12, r13
    mov r13, qword ptr [rsp + 120]
    shr r13, 7
    xor rsi, r15
    rorx r15, rcx, 39
    xor rbp, rdi
    add rax, r8
    add r11, r10
    add r14, rdx
    xor r9, r12
    mov rdx, qword ptr [rsp + 112]
    add rdx, qword ptr [rsp + 184]
    xor r13, rsi
    xor r15, rbp
    add r11, rax
    rorx rbp, rax, 14
    rorx rdi, rax, 18
    andn r8, rax, qword ptr [rsp + 768]
    add r14, qword ptr [rsp + 760]
    add r9, rdx
    add r15, r11
    rorx rdx, rax, 41
    xor rbp, rdi
    mov rdi, rax
    and rdi, rbx
    add r8, r14
    mov r10, qword ptr [rsp + 776]
    and r10, rcx
    mov r11, qword ptr [rsp + 776]
    xor r11, rcx
    add r13, r9
    mov qword ptr [rsp + 240], r13
    rorx r9, qword ptr [rsp + 232], 19
    rorx r12, qword ptr [rsp + 232], 61
    rorx r14, qword ptr [rsp + 128], 1
    rorx rsi, qword ptr [rsp + 128], 8
    xor rdx, rbp
    rorx rbp, r15, 28
    rorx r13, r15, 34
    add rdi, r8
    and r11, r15
    sub r10, qword ptr [rsp + 760]
    mov r8, qword ptr [rsp + 240]
    add r8, qword ptr [rip + .Lsha512_bmi2_k + 152]
    mov qword ptr [rsp + 784], rcx
    mov rcx, qword ptr [rsp + 232]
    shr rcx, 6
    xor r9, r12
    mov r12, qword ptr [rsp + 128]
    shr r12, 7
    xor r14, rsi
    rorx rsi, r15, 39
    xor rbp, r13
    add rdx, rdi
    add r11, r10
    add r8, qword ptr [rsp + 768]
    xor rcx, r9
    mov rdi, qword ptr [rsp + 120]
    add rdi, qword ptr [rsp + 192]
    xor r12, r14
    xor rsi, rbp
    add r11, rdx
    rorx rbp, rdx, 14
    rorx r9, rdx, 18
    andn r10, rdx, rbx
    add r8, qword ptr [rsp + 776]
    add rcx, rdi
    add rsi, r11
    rorx rdi, rdx, 41
    xor rbp, r9
    mov r9, rdx
    and r9, rax
    add r10, r8
    mov r8, qword ptr [rsp + 784]
    and r8, r15
    mov r11, qword ptr [rsp + 784]
    xor r11, r15
    add r12, rcx
    mov qword ptr [rsp + 248], r12
    rorx rcx, qword ptr [rsp + 240], 19
    rorx r13, qword ptr [rsp + 240], 61
    rorx r14, qword ptr [rsp + 136], 1
    rorx r12, qword ptr [rsp + 136], 8
    xor rdi, rbp
    rorx rbp, rsi, 28
    mov qword ptr [rsp + 792], r15
    rorx r15, rsi, 34
    add r9, r10
    and r11, rsi
    sub r8, qword ptr [rsp + 776]
    mov r10, qword ptr [rsp + 248]
    add r10, qword ptr [rip + .Lsha512_bmi2_k + 160]
    mov qword ptr [rsp + 800], rdx
    mov rdx, qword ptr [rsp + 240]
    shr rdx, 6
    xor rcx, r13
    mov r13, qword ptr [rsp + 136]
    shr r13, 7
    xor r14, r12
    rorx r12, rsi, 39
    xor rbp, r15
    add rdi, r9
    add r11, r8
    add rbx, r10
    xor rdx, rcx
    mov rcx, qword ptr [rsp + 128]
    add rcx, qword ptr [rsp + 200]
    xor r13, r14
    xor r12, rbp
    add r11, rdi
    rorx rbp, rdi, 14
    rorx r8, rdi, 18
    andn r9, rdi, rax
    add rbx, qword ptr [rsp + 784]
    add rdx, rcx
    add r12, r11
    rorx rcx, rdi, 41
    xor rbp, r8
    mov r8, qword ptr [rsp + 800]
    and r8, rdi
    add r9, rbx
    mov rbx, qword ptr [rsp + 792]
    and rbx, rsi
    mov r10, qword ptr [rsp + 792]
    xor r10, rsi
    add r13, rdx
    mov qword ptr [rsp + 256], r13
    rorx rdx, qword ptr [rsp + 248], 19
    rorx r11, qword ptr [rsp + 248], 61
    rorx r14, qword ptr [rsp + 144], 1
    rorx r15, qword ptr [rsp + 144], 8
    xor rcx, rbp
    rorx rbp, r12, 28
    rorx r13, r12, 34
    add r8, r9
    and r10, r12
    sub rbx, qword ptr [rsp + 784]
    mov r9, qword ptr [rsp + 256]
    add r9, qword ptr [rip + .Lsha512_bmi2_k + 168]
    mov qword ptr [rsp + 808], rsi
    mov rsi, qword ptr [rsp + 248]
    shr rsi, 6
    xor rdx, r11
    mov r11, qword ptr [rsp + 144]
    shr r11, 7
    xor r14, r15
    rorx r15, r12, 39
    xor rbp, r13
    add rcx, r8
    add r10, rbx
    add rax, r9
    xor rsi, rdx
    mov rdx, qword ptr [rsp + 136]
    add rdx, qword ptr [rsp + 208]
    xor r11, r14
    xor r15, rbp
    add r10, rcx
    rorx rbx, rcx, 14
    rorx rbp, rcx, 18
    andn r8, rcx, qword ptr [rsp + 800]
    add rax, qword ptr [rsp + 792]
    add rsi, rdx
    add r15, r10
    rorx rdx, rcx, 41
    xor rbx, rbp
    mov rbp, rcx
    and rbp, rdi
    add r8, rax
    mov rax, qword ptr [rsp + 808]
    and rax, r12
    mov r9, qword ptr [rsp + 808]
    xor r9, r12
    add r11, rsi
    mov qword ptr [rsp + 264], r11
    rorx r10, qword ptr [rsp + 256], 19
    rorx r13, qword ptr [rsp + 256], 61
    rorx r14, qword ptr [rsp + 152], 1
    rorx rsi, qword ptr [rsp + 152], 8
    xor rdx, rbx
    rorx rbx, r15, 28
    rorx r11, r15, 34
    add rbp, r8
    and r9, r15
    sub rax, qword ptr [rsp + 792]
    mov r8, qword ptr [rsp + 264]
    add r8, qword ptr [rip + .Lsha512_bmi2_k + 176]
    mov qword ptr [rsp + 816], r12
    mov r12, qword ptr [rsp + 256]
    shr r12, 6
    xor r10, r13
    mov r13, qword ptr [rsp + 152]
    shr r13, 7
    xor r14, rsi
    rorx rsi, r15, 39
    xor rbx, r11
    add rdx, rbp
    add r9, rax
    add r8, qword ptr [rsp + 800]
    xor r12, r10
    mov rax, qword ptr [rsp + 144]
    add rax, qword ptr [rsp + 216]
    xor r13, r14
    xor rsi, rbx
    add r9, rdx
    rorx rbx, rdx, 14
    rorx rbp, rdx, 18
    andn r10, rdx, rdi
    add r8, qword ptr [rsp + 808]
    add r12, rax
    add rsi, r9
    rorx rax, rdx, 41
    xor rbx, rbp
    mov rbp, rdx
    and rbp, rcx
    add r10, r8
    mov r8, qword ptr [rsp + 816]
    and r8, r15
    mov r9, qword ptr [rsp + 816]
    xor r9, r15
    add r13, r12
    mov qword ptr [rsp + 272], r13
    rorx r11, qword ptr [rsp + 264], 19
    rorx r12, qword ptr [rsp + 264], 61
    rorx r14, qword ptr [rsp + 160], 1
    rorx r13, qword ptr [rsp + 160], 8
    xor rax, rbx
    rorx rbx, rsi, 28
    mov qword ptr [rsp + 824], r15
    rorx r15, rsi, 34
    add rbp, r10
    and r9, rsi
    sub r8, qword ptr [rsp + 808]
    mov r10, qword ptr [rsp + 272]
    add r10, qword ptr [rip + .Lsha512_bmi2_k + 184]
    mov qword ptr [rsp + 832], rdx
    mov rdx, qword ptr [rsp + 264]
    shr rdx, 6
    xor r11, r12
    mov r12, qword ptr [rsp + 160]
    shr r12, 7
    xor r14, r13
    rorx r13, rsi, 39
    xor rbx, r15
    add rax, rbp
    add r9, r8
    add rdi, r10
    xor rdx, r11
    mov rbp, qword ptr [rsp + 152]
    add rbp, qword ptr [rsp + 224]
    xor r12, r14
    xor r13, rbx
    add r9, rax
    rorx rbx, rax, 14
    rorx r8, rax, 18
    andn r10, rax, rcx
    add rdi, qword ptr [rsp + 816]
    add rdx, rbp
    add r13, r9
    rorx rbp, rax, 41
    xor rbx, r8
    mov r8, qword ptr [rsp + 832]
    and r8, rax
    add r10, rdi
    mov rdi, qword ptr [rsp + 824]
    and rdi, rsi
    mov r9, qword ptr [rsp + 824]
    xor r9, rsi
    add r12, rdx
    mov qword ptr [rsp + 280], r12
    rorx rdx, qword ptr [rsp + 272], 19
    rorx r11, qword ptr [rsp + 272], 61
    rorx r14, qword ptr [rsp + 168], 1
    rorx r15, qword ptr [rsp + 168], 8
    xor rbp, rbx
    rorx rbx, r13, 28
    rorx r12, r13, 34
    add r8, r10
    and r9, r13
    sub rdi, qword ptr [rsp + 816]
    mov r10, qword ptr [rsp + 280]
    add r10, qword ptr [rip + .Lsha512_bmi2_k + 192]
    mov qword ptr [rsp + 840], rsi
    mov rsi, qword ptr [rsp + 272]
    shr rsi, 6
    xor rdx, r11
    mov r11, qword ptr [rsp + 168]
    shr r11, 7
    xor r14, r15
    rorx r15, r13, 39
    xor rbx, r12
    add rbp, r8
    add r9, rdi
    add rcx, r10
    xor rsi, rdx
    mov rdx, qword ptr [rsp + 160]
    add rdx, qword ptr [rsp + 232]
    xor r11, r14
    xor r15, rbx
    add r9, rbp
    rorx rbx, rbp, 14
    rorx rdi, rbp, 18
    andn r8, rbp, qword ptr [rsp + 832]
    add rcx, qword ptr [rsp + 824]
    add rsi, rdx
    add r15, r9
    rorx rdx, rbp, 41
    xor rbx, rdi
    mov rdi, rbp
    and rdi, rax
    add r8, rcx
    mov rcx, qword ptr [rsp + 840]
    and rcx, r13
    mov r9, qword ptr [rsp + 840]
    xor r9, r13
    add r11, rsi
    mov qword ptr [rsp + 288], r11
    rorx r10, qword ptr [rsp + 280], 19
    rorx r12, qword ptr [rsp + 280], 61
    rorx r14, qword ptr [rsp + 176], 1
    rorx rsi, qword ptr [rsp + 176], 8
    xor rdx, rbx
    rorx rbx, r15, 28
    rorx r11, r15, 34
    add rdi, r8
    and r9, r15
    sub rcx, qword ptr [rsp + 824]
    mov r8, qword ptr [rsp + 288]
    add r8, qword ptr [rip + .Lsha512_bmi2_k + 200]
    mov qword ptr [rsp + 848], r13
    mov r13, qword ptr [rsp + 280]
    shr r13, 6
    xor r10, r12
    mov r12, qword ptr [rsp + 176]
    shr r12, 7
    xor r14, rsi
    rorx rsi, r15, 39
    xor rbx, r11
    add rdx, rdi
    add r9, rcx
    add r8, qword ptr [rsp + 832]
    xor r13, r10
    mov rcx, qword ptr [rsp + 168]
    add rcx, qword ptr [rsp + 240]
    xor r12, r14
    xor rsi, rbx
    add r9, rdx
    rorx rbx, rdx, 14
    rorx rdi, rdx, 18
    andn r10, rdx, rax
    add r8, qword ptr [rsp + 840]
    add r13, rcx
    add rsi, r9
    rorx rcx, rdx, 41
    xor rbx, rdi
    mov rdi, rdx
    and rdi, rbp
    add r10, r8
    mov r8, qword ptr [rsp + 848]
    and r8, r15
    mov r9, qword ptr [rsp + 848]
    xor r9, r15
    add r12, r13
    mov qword ptr [rsp + 296], r12
    rorx r11, qword ptr [rsp + 288], 19
    rorx r13, qword ptr [rsp + 288], 61
    rorx r14, qword ptr [rsp + 184], 1
    rorx r12, qword ptr [rsp + 184], 8
    xor rcx, rbx
    rorx rbx, rsi, 28
    mov qword ptr [rsp + 856], r15
    rorx r15, rsi, 34
    add rdi, r10
    and r9, rsi
    sub r8, qword ptr [rsp + 840]
    mov r10, qword ptr [rsp + 296]
    add r10, qword ptr [rip + .Lsha512_bmi2_k + 208]
    mov qword ptr [rsp + 864], rdx
    mov rdx, qword ptr [rsp + 288]
    shr rdx, 6
    xor r11, r13
    mov r13, qword ptr [rsp + 184]
    shr r13, 7
    xor r14, r12
    rorx r12, rsi, 39
    xor rbx, r15
    add rcx, rdi
    add r9, r8
    add rax, r10
    xor rdx, r11
    mov rdi, qword ptr [rsp + 176]
    add rdi, qword ptr [rsp + 248]
    xor r13, r14
    xor r12, rbx
    add r9, rcx
    rorx rbx, rcx, 14
    rorx r8, rcx, 18
    andn r10, rcx, rbp
    add rax, qword ptr [rsp + 848]
    add rdx, rdi
    add r12, r9
    rorx rdi, rcx, 41
    xor rbx, r8
    mov r8, qword ptr [rsp + 864]
    and r8, rcx
    add r10, rax
    mov rax, qword ptr [rsp + 856]
    and rax, rsi
    mov r9, qword ptr [rsp + 856]
    xor r9, rsi
    add r13, rdx
    mov qword ptr [rsp + 304], r13
    rorx rdx, qword ptr [rsp + 296], 19
    rorx r11, qword ptr [rsp + 296], 61
    rorx r14, qword ptr [rsp + 192], 1
    rorx r15, qword ptr [rsp + 192], 8
    xor rdi, rbx
    rorx rbx, r12, 28
    rorx r13, r12, 34
    add r8, r10
    and r9, r12
    sub rax, qword ptr [rsp + 848]
    mov r10, qword ptr [rsp + 304]
    add r10, qword ptr [rip + .Lsha512_bmi2_k + 216]
    mov qword ptr [rsp + 872], rsi
    mov rsi, qword ptr [rsp + 296]
    shr rsi, 6
    xor rdx, r11
    mov r11, qword ptr [rsp + 192]
    shr r11, 7
    xor r14, r15
    rorx r15, r12, 39
    xor rbx, r13
    add rdi, r8
    add r9, rax
    add rbp, r10
    xor rsi, rdx
    mov rax, qword ptr [rsp + 184]
    add rax, qword ptr [rsp + 256]
    xor r11, r14
    xor r15, rbx
    add r9, rdi
    rorx rdx, rdi, 14
    rorx rbx, rdi, 18
    andn r8, rdi, qword ptr [rsp + 864]
    add rbp, qword ptr [rsp + 856]
    add rsi, rax
    add r15, r9
    rorx rax, rdi, 41
    xor rdx, rbx
    mov rbx, rdi
    and rbx, rcx
    add r8, rbp
    mov rbp, qword ptr [rsp + 872]
    and rbp, r12
    mov r9, qword ptr [rsp + 872]
    xor r9, r12
    add r11, rsi
    mov qword ptr [rsp + 312], r11
    rorx r10, qword ptr [rsp + 304], 19
    rorx r13, qword ptr [rsp + 304], 61
    rorx r14, qword ptr [rsp + 200], 1
    rorx rsi, qword ptr [rsp + 200], 8
    xor rax, rdx
    rorx rdx, r15, 28
    rorx r11, r15, 34
    add rbx, r8
    and r9, r15
    sub rbp, qword ptr [rsp + 856]
    mov r8, qword ptr [rsp + 312]
    add r8, qword ptr [rip + .Lsha512_bmi2_k + 224]
    mov qword ptr [rsp + 880], r12
    mov r12, qword ptr [rsp + 304]
    shr r12, 6
    xor r10, r13
    mov r13, qword ptr [rsp + 200]
    shr r13, 7
    xor r14, rsi
    rorx rsi, r15, 39
    xor rdx, r11
    add rax, rbx
    add r9, rbp
    add r8, qword ptr [rsp + 864]
    xor r12, r10
    mov rbx, qword ptr [rsp + 192]
    add rbx, qword ptr [rsp + 264]
    xor r13, r14
    xor rsi, rdx
    add r9, rax
    rorx rdx, rax, 14
    rorx rbp, rax, 18
    andn r10, rax, rcx
    add r8, qword ptr [rsp + 872]
    add r12, rbx
    add rsi, r9
    rorx rbx, rax, 41
    xor rdx, rbp
    mov rbp, rax
    and rbp, rdi
    add r10, r8
    mov r8, qword ptr [rsp + 880]
    and r8, r15
    mov r9, qword ptr [rsp + 880]
    xor r9, r15
    add r13, r12
    mov qword ptr [rsp + 320], r13
    rorx r11, qword ptr [rsp + 312], 19
    rorx r12, qword ptr [rsp + 312], 61
    rorx r14, qword ptr [rsp + 208], 1
    rorx r13, qword ptr [rsp + 208], 8
    xor rbx, rdx
    rorx rdx, rsi, 28
    mov qword ptr [rsp + 888], r15
    rorx r15, rsi, 34
    add rbp, r10
    and r9, rsi
    sub r8, qword ptr [rsp + 872]
    mov r10, qword ptr [rsp + 320]
    add r10, qword ptr [rip + .Lsha512_bmi2_k + 232]
    mov qword ptr [rsp + 896], rax
    mov rax, qword ptr [rsp + 312]
    shr rax, 6
    xor r11, r12
    mov r12, qword ptr [rsp + 208]
    shr r12, 7
    xor r14, r13
    rorx r13, rsi, 39
    xor rdx, r15
    add rbx, rbp
    add r9, r8
    add rcx, r10
    xor rax, r11
    mov rbp, qword ptr [rsp + 200]
    add rbp, qword ptr [rsp + 272]
    xor r12, r14
    xor r13, rdx
    add r9, rbx
    rorx rdx, rbx, 14
    rorx r8, rbx, 18
    andn r10, rbx, rdi
    add rcx, qword ptr [rsp + 880]
    add rax, rbp
    add r13, r9
    rorx rbp, rbx, 41
    xor rdx, r8
    mov r8, qword ptr [rsp + 896]
    and r8, rbx
    add r10, rcx
    mov rcx, qword ptr [rsp + 888]
    and rcx, rsi
    mov r9, qword ptr [rsp + 888]
    xor r9, rsi
    add r12, rax
    mov qword ptr [rsp + 328], r12
    rorx rax, qword ptr [rsp + 320], 19
    rorx r11, qword ptr [rsp + 320], 61
    xor rbp, rdx
    rorx rdx, r13, 28
    rorx r14, r13, 34
    add r8, r10
    and r9, r13
    sub rcx, qword ptr [rsp + 880]
    mov r10, qword ptr [rip + .Lsha512_bmi2_k + 240]
    add r10, r12
    rorx r15, qword ptr [rsp + 216], 1
    rorx r12, qword ptr [rsp + 216], 8
    mov qword ptr [rsp + 904], rsi
    mov rsi, qword ptr [rsp + 320]
    shr rsi, 6
    xor rax, r11
    rorx r11, r13, 39
    xor rdx, r14
    add rbp, r8
    add r9, rcx
    add rdi, r10
    mov rcx, qword ptr [rsp + 216]
    shr rcx, 7
    xor r15, r12
    xor rsi, rax
    mov rax, qword ptr [rsp + 208]
    add rax, qword ptr [rsp + 280]
    xor r11, rdx
    add r9, rbp
    rorx rdx, rbp, 14
    rorx r8, rbp, 18
    andn r10, rbp, qword ptr [rsp + 896]
    add rdi, qword ptr [rsp + 888]
    xor rcx, r15
    add rsi, rax
    add r11, r9
    rorx rax, rbp, 41
    xor rdx, r8
    mov r8, rbp
    and r8, rbx
    add r10, rdi
    mov rdi, qword ptr [rsp + 904]
    and rdi, r13
    mov r9, qword ptr [rsp + 904]
    xor r9, r13
    add rcx, rsi
    mov qword ptr [rsp + 336], rcx
    rorx r12, qword ptr [rsp + 328], 19
    rorx r14, qword ptr [rsp + 328], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r15, r11, 34
    add r8, r10
    and r9, r11
    sub rdi, qword ptr [rsp + 888]
    mov r10, qword ptr [rip + .Lsha512_bmi2_k + 248]
    add r10, rcx
    rorx rsi, qword ptr [rsp + 224], 1
    rorx rcx, qword ptr [rsp + 224], 8
    mov qword ptr [rsp + 912], r13
    mov r13, qword ptr [rsp + 328]
    shr r13, 6
    xor r12, r14
    rorx r14, r11, 39
    xor rdx, r15
    add rax, r8
    add r9, rdi
    add r10, qword ptr [rsp + 896]
    mov rdi, qword ptr [rsp + 224]
    shr rdi, 7
    xor rsi, rcx
    xor r13, r12
    mov rcx, qword ptr [rsp + 216]
    add rcx, qword ptr [rsp + 288]
    xor r14, rdx
    add r9, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rbx
    add r10, qword ptr [rsp + 904]
    xor rdi, rsi
    add r13, rcx
    add r14, r9
    rorx rcx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rbp
    add r12, r10
    mov r9, qword ptr [rsp + 912]
    and r9, r11
    mov r10, qword ptr [rsp + 912]
    xor r10, r11
    add rdi, r13
    mov qword ptr [rsp + 344], rdi
    rorx r13, qword ptr [rsp + 336], 19
    rorx r15, qword ptr [rsp + 336], 61
    xor rcx, rdx
    rorx rdx, r14, 28
    rorx rsi, r14, 34
    add r8, r12
    and r10, r14
    sub r9, qword ptr [rsp + 904]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 256]
    add r12, rdi
    rorx rdi, qword ptr [rsp + 232], 1
    mov qword ptr [rsp + 920], r11
    rorx r11, qword ptr [rsp + 232], 8
    mov qword ptr [rsp + 928], rax
    mov rax, qword ptr [rsp + 336]
    shr rax, 6
    xor r13, r15
    rorx r15, r14, 39
    xor rdx, rsi
    add rcx, r8
    add r10, r9
    add rbx, r12
    mov r8, qword ptr [rsp + 232]
    shr r8, 7
    xor rdi, r11
    xor rax, r13
    mov r9, qword ptr [rsp + 224]
    add r9, qword ptr [rsp + 296]
    xor r15, rdx
    add r10, rcx
    rorx rdx, rcx, 14
    rorx r11, rcx, 18
    andn r12, rcx, rbp
    add rbx, qword ptr [rsp + 912]
    xor r8, rdi
    add rax, r9
    add r15, r10
    rorx rdi, rcx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 928]
    and r9, rcx
    add r12, rbx
    mov rbx, qword ptr [rsp + 920]
    and rbx, r14
    mov r10, qword ptr [rsp + 920]
    xor r10, r14
    add r8, rax
    mov qword ptr [rsp + 352], r8
    rorx rax, qword ptr [rsp + 344], 19
    rorx r11, qword ptr [rsp + 344], 61
    xor rdi, rdx
    rorx rdx, r15, 28
    rorx r13, r15, 34
    add r9, r12
    and r10, r15
    sub rbx, qword ptr [rsp + 912]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 264]
    add r12, r8
    rorx rsi, qword ptr [rsp + 240], 1
    rorx r8, qword ptr [rsp + 240], 8
    mov qword ptr [rsp + 936], r14
    mov r14, qword ptr [rsp + 344]
    shr r14, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r13
    add rdi, r9
    add r10, rbx
    add rbp, r12
    mov rbx, qword ptr [rsp + 240]
    shr rbx, 7
    xor rsi, r8
    xor r14, rax
    mov rax, qword ptr [rsp + 232]
    add rax, qword ptr [rsp + 304]
    xor r11, rdx
    add r10, rdi
    rorx rdx, rdi, 14
    rorx r8, rdi, 18
    andn r9, rdi, qword ptr [rsp + 928]
    add rbp, qword ptr [rsp + 920]
    xor rbx, rsi
    add r14, rax
    add r11, r10
    rorx rax, rdi, 41
    xor rdx, r8
    mov r8, rdi
    and r8, rcx
    add r9, rbp
    mov rbp, qword ptr [rsp + 936]
    and rbp, r15
    mov r10, qword ptr [rsp + 936]
    xor r10, r15
    add rbx, r14
    mov qword ptr [rsp + 360], rbx
    rorx r12, qword ptr [rsp + 352], 19
    rorx r13, qword ptr [rsp + 352], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rbp, qword ptr [rsp + 920]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 272]
    add r9, rbx
    rorx rsi, qword ptr [rsp + 248], 1
    rorx rbx, qword ptr [rsp + 248], 8
    mov qword ptr [rsp + 944], r15
    mov r15, qword ptr [rsp + 352]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rbp
    add r9, qword ptr [rsp + 928]
    mov rbp, qword ptr [rsp + 248]
    shr rbp, 7
    xor rsi, rbx
    xor r15, r12
    mov rbx, qword ptr [rsp + 240]
    add rbx, qword ptr [rsp + 312]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rcx
    add r9, qword ptr [rsp + 936]
    xor rbp, rsi
    add r15, rbx
    add r13, r10
    rorx rbx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rdi
    add r12, r9
    mov r9, qword ptr [rsp + 944]
    and r9, r11
    mov r10, qword ptr [rsp + 944]
    xor r10, r11
    add rbp, r15
    mov qword ptr [rsp + 368], rbp
    rorx r14, qword ptr [rsp + 360], 19
    rorx r15, qword ptr [rsp + 360], 61
    xor rbx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 936]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 280]
    add r12, rbp
    rorx rbp, qword ptr [rsp + 256], 1
    mov qword ptr [rsp + 952], r11
    rorx r11, qword ptr [rsp + 256], 8
    mov qword ptr [rsp + 960], rax
    mov rax, qword ptr [rsp + 360]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rbx, r8
    add r10, r9
    add rcx, r12
    mov r8, qword ptr [rsp + 256]
    shr r8, 7
    xor rbp, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 248]
    add r9, qword ptr [rsp + 320]
    xor r15, rdx
    add r10, rbx
    rorx rdx, rbx, 14
    rorx r11, rbx, 18
    andn r12, rbx, rdi
    add rcx, qword ptr [rsp + 944]
    xor r8, rbp
    add rax, r9
    add r15, r10
    rorx rbp, rbx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 960]
    and r9, rbx
    add r12, rcx
    mov rcx, qword ptr [rsp + 952]
    and rcx, r13
    mov r10, qword ptr [rsp + 952]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 376], r8
    rorx rax, qword ptr [rsp + 368], 19
    rorx r11, qword ptr [rsp + 368], 61
    xor rbp, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rcx, qword ptr [rsp + 944]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 288]
    add r12, r8
    rorx rsi, qword ptr [rsp + 264], 1
    rorx r8, qword ptr [rsp + 264], 8
    mov qword ptr [rsp + 968], r13
    mov r13, qword ptr [rsp + 368]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rbp, r9
    add r10, rcx
    add rdi, r12
    mov rcx, qword ptr [rsp + 264]
    shr rcx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 256]
    add rax, qword ptr [rsp + 328]
    xor r11, rdx
    add r10, rbp
    rorx rdx, rbp, 14
    rorx r8, rbp, 18
    andn r9, rbp, qword ptr [rsp + 960]
    add rdi, qword ptr [rsp + 952]
    xor rcx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rbp, 41
    xor rdx, r8
    mov r8, rbp
    and r8, rbx
    add r9, rdi
    mov rdi, qword ptr [rsp + 968]
    and rdi, r15
    mov r10, qword ptr [rsp + 968]
    xor r10, r15
    add rcx, r13
    mov qword ptr [rsp + 384], rcx
    rorx r12, qword ptr [rsp + 376], 19
    rorx r13, qword ptr [rsp + 376], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rdi, qword ptr [rsp + 952]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 296]
    add r9, rcx
    rorx rsi, qword ptr [rsp + 272], 1
    rorx rcx, qword ptr [rsp + 272], 8
    mov qword ptr [rsp + 976], r15
    mov r15, qword ptr [rsp + 376]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rdi
    add r9, qword ptr [rsp + 960]
    mov rdi, qword ptr [rsp + 272]
    shr rdi, 7
    xor rsi, rcx
    xor r15, r12
    mov rcx, qword ptr [rsp + 264]
    add rcx, qword ptr [rsp + 336]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rbx
    add r9, qword ptr [rsp + 968]
    xor rdi, rsi
    add r15, rcx
    add r13, r10
    rorx rcx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rbp
    add r12, r9
    mov r9, qword ptr [rsp + 976]
    and r9, r11
    mov r10, qword ptr [rsp + 976]
    xor r10, r11
    add rdi, r15
    mov qword ptr [rsp + 392], rdi
    rorx r14, qword ptr [rsp + 384], 19
    rorx r15, qword ptr [rsp + 384], 61
    xor rcx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 968]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 304]
    add r12, rdi
    rorx rdi, qword ptr [rsp + 280], 1
    mov qword ptr [rsp + 984], r11
    rorx r11, qword ptr [rsp + 280], 8
    mov qword ptr [rsp + 992], rax
    mov rax, qword ptr [rsp + 384]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rcx, r8
    add r10, r9
    add rbx, r12
    mov r8, qword ptr [rsp + 280]
    shr r8, 7
    xor rdi, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 272]
    add r9, qword ptr [rsp + 344]
    xor r15, rdx
    add r10, rcx
    rorx rdx, rcx, 14
    rorx r11, rcx, 18
    andn r12, rcx, rbp
    add rbx, qword ptr [rsp + 976]
    xor r8, rdi
    add rax, r9
    add r15, r10
    rorx rdi, rcx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 992]
    and r9, rcx
    add r12, rbx
    mov rbx, qword ptr [rsp + 984]
    and rbx, r13
    mov r10, qword ptr [rsp + 984]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 400], r8
    rorx rax, qword ptr [rsp + 392], 19
    rorx r11, qword ptr [rsp + 392], 61
    xor rdi, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rbx, qword ptr [rsp + 976]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 312]
    add r12, r8
    rorx rsi, qword ptr [rsp + 288], 1
    rorx r8, qword ptr [rsp + 288], 8
    mov qword ptr [rsp + 1000], r13
    mov r13, qword ptr [rsp + 392]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rdi, r9
    add r10, rbx
    add rbp, r12
    mov rbx, qword ptr [rsp + 288]
    shr rbx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 280]
    add rax, qword ptr [rsp + 352]
    xor r11, rdx
    add r10, rdi
    rorx rdx, rdi, 14
    rorx r8, rdi, 18
    andn r9, rdi, qword ptr [rsp + 992]
    add rbp, qword ptr [rsp + 984]
    xor rbx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rdi, 41
    xor rdx, r8
    mov r8, rdi
    and r8, rcx
    add r9, rbp
    mov rbp, qword ptr [rsp + 1000]
    and rbp, r15
    mov r10, qword ptr [rsp + 1000]
    xor r10, r15
    add rbx, r13
    mov qword ptr [rsp + 408], rbx
    rorx r12, qword ptr [rsp + 400], 19
    rorx r13, qword ptr [rsp + 400], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rbp, qword ptr [rsp + 984]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 320]
    add r9, rbx
    rorx rsi, qword ptr [rsp + 296], 1
    rorx rbx, qword ptr [rsp + 296], 8
    mov qword ptr [rsp + 1008], r15
    mov r15, qword ptr [rsp + 400]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rbp
    add r9, qword ptr [rsp + 992]
    mov rbp, qword ptr [rsp + 296]
    shr rbp, 7
    xor rsi, rbx
    xor r15, r12
    mov rbx, qword ptr [rsp + 288]
    add rbx, qword ptr [rsp + 360]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rcx
    add r9, qword ptr [rsp + 1000]
    xor rbp, rsi
    add r15, rbx
    add r13, r10
    rorx rbx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rdi
    add r12, r9
    mov r9, qword ptr [rsp + 1008]
    and r9, r11
    mov r10, qword ptr [rsp + 1008]
    xor r10, r11
    add rbp, r15
    mov qword ptr [rsp + 416], rbp
    rorx r14, qword ptr [rsp + 408], 19
    rorx r15, qword ptr [rsp + 408], 61
    xor rbx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1000]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 328]
    add r12, rbp
    rorx rbp, qword ptr [rsp + 304], 1
    mov qword ptr [rsp + 1016], r11
    rorx r11, qword ptr [rsp + 304], 8
    mov qword ptr [rsp + 1024], rax
    mov rax, qword ptr [rsp + 408]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rbx, r8
    add r10, r9
    add rcx, r12
    mov r8, qword ptr [rsp + 304]
    shr r8, 7
    xor rbp, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 296]
    add r9, qword ptr [rsp + 368]
    xor r15, rdx
    add r10, rbx
    rorx rdx, rbx, 14
    rorx r11, rbx, 18
    andn r12, rbx, rdi
    add rcx, qword ptr [rsp + 1008]
    xor r8, rbp
    add rax, r9
    add r15, r10
    rorx rbp, rbx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1024]
    and r9, rbx
    add r12, rcx
    mov rcx, qword ptr [rsp + 1016]
    and rcx, r13
    mov r10, qword ptr [rsp + 1016]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 424], r8
    rorx rax, qword ptr [rsp + 416], 19
    rorx r11, qword ptr [rsp + 416], 61
    xor rbp, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rcx, qword ptr [rsp + 1008]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 336]
    add r12, r8
    rorx rsi, qword ptr [rsp + 312], 1
    rorx r8, qword ptr [rsp + 312], 8
    mov qword ptr [rsp + 1032], r13
    mov r13, qword ptr [rsp + 416]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rbp, r9
    add r10, rcx
    add rdi, r12
    mov rcx, qword ptr [rsp + 312]
    shr rcx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 304]
    add rax, qword ptr [rsp + 376]
    xor r11, rdx
    add r10, rbp
    rorx rdx, rbp, 14
    rorx r8, rbp, 18
    andn r9, rbp, qword ptr [rsp + 1024]
    add rdi, qword ptr [rsp + 1016]
    xor rcx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rbp, 41
    xor rdx, r8
    mov r8, rbp
    and r8, rbx
    add r9, rdi
    mov rdi, qword ptr [rsp + 1032]
    and rdi, r15
    mov r10, qword ptr [rsp + 1032]
    xor r10, r15
    add rcx, r13
    mov qword ptr [rsp + 432], rcx
    rorx r12, qword ptr [rsp + 424], 19
    rorx r13, qword ptr [rsp + 424], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rdi, qword ptr [rsp + 1016]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 344]
    add r9, rcx
    rorx rsi, qword ptr [rsp + 320], 1
    rorx rcx, qword ptr [rsp + 320], 8
    mov qword ptr [rsp + 1040], r15
    mov r15, qword ptr [rsp + 424]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rdi
    add r9, qword ptr [rsp + 1024]
    mov rdi, qword ptr [rsp + 320]
    shr rdi, 7
    xor rsi, rcx
    xor r15, r12
    mov rcx, qword ptr [rsp + 312]
    add rcx, qword ptr [rsp + 384]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rbx
    add r9, qword ptr [rsp + 1032]
    xor rdi, rsi
    add r15, rcx
    add r13, r10
    rorx rcx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rbp
    add r12, r9
    mov r9, qword ptr [rsp + 1040]
    and r9, r11
    mov r10, qword ptr [rsp + 1040]
    xor r10, r11
    add rdi, r15
    mov qword ptr [rsp + 440], rdi
    rorx r14, qword ptr [rsp + 432], 19
    rorx r15, qword ptr [rsp + 432], 61
    xor rcx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1032]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 352]
    add r12, rdi
    rorx rdi, qword ptr [rsp + 328], 1
    mov qword ptr [rsp + 1048], r11
    rorx r11, qword ptr [rsp + 328], 8
    mov qword ptr [rsp + 1056], rax
    mov rax, qword ptr [rsp + 432]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rcx, r8
    add r10, r9
    add rbx, r12
    mov r8, qword ptr [rsp + 328]
    shr r8, 7
    xor rdi, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 320]
    add r9, qword ptr [rsp + 392]
    xor r15, rdx
    add r10, rcx
    rorx rdx, rcx, 14
    rorx r11, rcx, 18
    andn r12, rcx, rbp
    add rbx, qword ptr [rsp + 1040]
    xor r8, rdi
    add rax, r9
    add r15, r10
    rorx rdi, rcx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1056]
    and r9, rcx
    add r12, rbx
    mov rbx, qword ptr [rsp + 1048]
    and rbx, r13
    mov r10, qword ptr [rsp + 1048]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 448], r8
    rorx rax, qword ptr [rsp + 440], 19
    rorx r11, qword ptr [rsp + 440], 61
    xor rdi, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rbx, qword ptr [rsp + 1040]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 360]
    add r12, r8
    rorx rsi, qword ptr [rsp + 336], 1
    rorx r8, qword ptr [rsp + 336], 8
    mov qword ptr [rsp + 1064], r13
    mov r13, qword ptr [rsp + 440]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rdi, r9
    add r10, rbx
    add rbp, r12
    mov rbx, qword ptr [rsp + 336]
    shr rbx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 328]
    add rax, qword ptr [rsp + 400]
    xor r11, rdx
    add r10, rdi
    rorx rdx, rdi, 14
    rorx r8, rdi, 18
    andn r9, rdi, qword ptr [rsp + 1056]
    add rbp, qword ptr [rsp + 1048]
    xor rbx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rdi, 41
    xor rdx, r8
    mov r8, rdi
    and r8, rcx
    add r9, rbp
    mov rbp, qword ptr [rsp + 1064]
    and rbp, r15
    mov r10, qword ptr [rsp + 1064]
    xor r10, r15
    add rbx, r13
    mov qword ptr [rsp + 456], rbx
    rorx r12, qword ptr [rsp + 448], 19
    rorx r13, qword ptr [rsp + 448], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rbp, qword ptr [rsp + 1048]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 368]
    add r9, rbx
    rorx rsi, qword ptr [rsp + 344], 1
    rorx rbx, qword ptr [rsp + 344], 8
    mov qword ptr [rsp + 1072], r15
    mov r15, qword ptr [rsp + 448]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rbp
    add r9, qword ptr [rsp + 1056]
    mov rbp, qword ptr [rsp + 344]
    shr rbp, 7
    xor rsi, rbx
    xor r15, r12
    mov rbx, qword ptr [rsp + 336]
    add rbx, qword ptr [rsp + 408]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rcx
    add r9, qword ptr [rsp + 1064]
    xor rbp, rsi
    add r15, rbx
    add r13, r10
    rorx rbx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rdi
    add r12, r9
    mov r9, qword ptr [rsp + 1072]
    and r9, r11
    mov r10, qword ptr [rsp + 1072]
    xor r10, r11
    add rbp, r15
    mov qword ptr [rsp + 464], rbp
    rorx r14, qword ptr [rsp + 456], 19
    rorx r15, qword ptr [rsp + 456], 61
    xor rbx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1064]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 376]
    add r12, rbp
    rorx rbp, qword ptr [rsp + 352], 1
    mov qword ptr [rsp + 1080], r11
    rorx r11, qword ptr [rsp + 352], 8
    mov qword ptr [rsp + 1088], rax
    mov rax, qword ptr [rsp + 456]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rbx, r8
    add r10, r9
    add rcx, r12
    mov r8, qword ptr [rsp + 352]
    shr r8, 7
    xor rbp, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 344]
    add r9, qword ptr [rsp + 416]
    xor r15, rdx
    add r10, rbx
    rorx rdx, rbx, 14
    rorx r11, rbx, 18
    andn r12, rbx, rdi
    add rcx, qword ptr [rsp + 1072]
    xor r8, rbp
    add rax, r9
    add r15, r10
    rorx rbp, rbx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1088]
    and r9, rbx
    add r12, rcx
    mov rcx, qword ptr [rsp + 1080]
    and rcx, r13
    mov r10, qword ptr [rsp + 1080]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 472], r8
    rorx rax, qword ptr [rsp + 464], 19
    rorx r11, qword ptr [rsp + 464], 61
    xor rbp, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rcx, qword ptr [rsp + 1072]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 384]
    add r12, r8
    rorx rsi, qword ptr [rsp + 360], 1
    rorx r8, qword ptr [rsp + 360], 8
    mov qword ptr [rsp + 1096], r13
    mov r13, qword ptr [rsp + 464]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rbp, r9
    add r10, rcx
    add rdi, r12
    mov rcx, qword ptr [rsp + 360]
    shr rcx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 352]
    add rax, qword ptr [rsp + 424]
    xor r11, rdx
    add r10, rbp
    rorx rdx, rbp, 14
    rorx r8, rbp, 18
    andn r9, rbp, qword ptr [rsp + 1088]
    add rdi, qword ptr [rsp + 1080]
    xor rcx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rbp, 41
    xor rdx, r8
    mov r8, rbp
    and r8, rbx
    add r9, rdi
    mov rdi, qword ptr [rsp + 1096]
    and rdi, r15
    mov r10, qword ptr [rsp + 1096]
    xor r10, r15
    add rcx, r13
    mov qword ptr [rsp + 480], rcx
    rorx r12, qword ptr [rsp + 472], 19
    rorx r13, qword ptr [rsp + 472], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rdi, qword ptr [rsp + 1080]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 392]
    add r9, rcx
    rorx rsi, qword ptr [rsp + 368], 1
    rorx rcx, qword ptr [rsp + 368], 8
    mov qword ptr [rsp + 1104], r15
    mov r15, qword ptr [rsp + 472]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rdi
    add r9, qword ptr [rsp + 1088]
    mov rdi, qword ptr [rsp + 368]
    shr rdi, 7
    xor rsi, rcx
    xor r15, r12
    mov rcx, qword ptr [rsp + 360]
    add rcx, qword ptr [rsp + 432]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rbx
    add r9, qword ptr [rsp + 1096]
    xor rdi, rsi
    add r15, rcx
    add r13, r10
    rorx rcx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rbp
    add r12, r9
    mov r9, qword ptr [rsp + 1104]
    and r9, r11
    mov r10, qword ptr [rsp + 1104]
    xor r10, r11
    add rdi, r15
    mov qword ptr [rsp + 488], rdi
    rorx r14, qword ptr [rsp + 480], 19
    rorx r15, qword ptr [rsp + 480], 61
    xor rcx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1096]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 400]
    add r12, rdi
    rorx rdi, qword ptr [rsp + 376], 1
    mov qword ptr [rsp + 1112], r11
    rorx r11, qword ptr [rsp + 376], 8
    mov qword ptr [rsp + 1120], rax
    mov rax, qword ptr [rsp + 480]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rcx, r8
    add r10, r9
    add rbx, r12
    mov r8, qword ptr [rsp + 376]
    shr r8, 7
    xor rdi, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 368]
    add r9, qword ptr [rsp + 440]
    xor r15, rdx
    add r10, rcx
    rorx rdx, rcx, 14
    rorx r11, rcx, 18
    andn r12, rcx, rbp
    add rbx, qword ptr [rsp + 1104]
    xor r8, rdi
    add rax, r9
    add r15, r10
    rorx rdi, rcx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1120]
    and r9, rcx
    add r12, rbx
    mov rbx, qword ptr [rsp + 1112]
    and rbx, r13
    mov r10, qword ptr [rsp + 1112]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 496], r8
    rorx rax, qword ptr [rsp + 488], 19
    rorx r11, qword ptr [rsp + 488], 61
    xor rdi, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rbx, qword ptr [rsp + 1104]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 408]
    add r12, r8
    rorx rsi, qword ptr [rsp + 384], 1
    rorx r8, qword ptr [rsp + 384], 8
    mov qword ptr [rsp + 1128], r13
    mov r13, qword ptr [rsp + 488]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rdi, r9
    add r10, rbx
    add rbp, r12
    mov rbx, qword ptr [rsp + 384]
    shr rbx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 376]
    add rax, qword ptr [rsp + 448]
    xor r11, rdx
    add r10, rdi
    rorx rdx, rdi, 14
    rorx r8, rdi, 18
    andn r9, rdi, qword ptr [rsp + 1120]
    add rbp, qword ptr [rsp + 1112]
    xor rbx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rdi, 41
    xor rdx, r8
    mov r8, rdi
    and r8, rcx
    add r9, rbp
    mov rbp, qword ptr [rsp + 1128]
    and rbp, r15
    mov r10, qword ptr [rsp + 1128]
    xor r10, r15
    add rbx, r13
    mov qword ptr [rsp + 504], rbx
    rorx r12, qword ptr [rsp + 496], 19
    rorx r13, qword ptr [rsp + 496], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rbp, qword ptr [rsp + 1112]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 416]
    add r9, rbx
    rorx rsi, qword ptr [rsp + 392], 1
    rorx rbx, qword ptr [rsp + 392], 8
    mov qword ptr [rsp + 1136], r15
    mov r15, qword ptr [rsp + 496]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rbp
    add r9, qword ptr [rsp + 1120]
    mov rbp, qword ptr [rsp + 392]
    shr rbp, 7
    xor rsi, rbx
    xor r15, r12
    mov rbx, qword ptr [rsp + 384]
    add rbx, qword ptr [rsp + 456]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rcx
    add r9, qword ptr [rsp + 1128]
    xor rbp, rsi
    add r15, rbx
    add r13, r10
    rorx rbx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rdi
    add r12, r9
    mov r9, qword ptr [rsp + 1136]
    and r9, r11
    mov r10, qword ptr [rsp + 1136]
    xor r10, r11
    add rbp, r15
    mov qword ptr [rsp + 512], rbp
    rorx r14, qword ptr [rsp + 504], 19
    rorx r15, qword ptr [rsp + 504], 61
    xor rbx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1128]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 424]
    add r12, rbp
    rorx rbp, qword ptr [rsp + 400], 1
    mov qword ptr [rsp + 1144], r11
    rorx r11, qword ptr [rsp + 400], 8
    mov qword ptr [rsp + 1152], rax
    mov rax, qword ptr [rsp + 504]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rbx, r8
    add r10, r9
    add rcx, r12
    mov r8, qword ptr [rsp + 400]
    shr r8, 7
    xor rbp, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 392]
    add r9, qword ptr [rsp + 464]
    xor r15, rdx
    add r10, rbx
    rorx rdx, rbx, 14
    rorx r11, rbx, 18
    andn r12, rbx, rdi
    add rcx, qword ptr [rsp + 1136]
    xor r8, rbp
    add rax, r9
    add r15, r10
    rorx rbp, rbx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1152]
    and r9, rbx
    add r12, rcx
    mov rcx, qword ptr [rsp + 1144]
    and rcx, r13
    mov r10, qword ptr [rsp + 1144]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 520], r8
    rorx rax, qword ptr [rsp + 512], 19
    rorx r11, qword ptr [rsp + 512], 61
    xor rbp, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rcx, qword ptr [rsp + 1136]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 432]
    add r12, r8
    rorx rsi, qword ptr [rsp + 408], 1
    rorx r8, qword ptr [rsp + 408], 8
    mov qword ptr [rsp + 1160], r13
    mov r13, qword ptr [rsp + 512]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rbp, r9
    add r10, rcx
    add rdi, r12
    mov rcx, qword ptr [rsp + 408]
    shr rcx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 400]
    add rax, qword ptr [rsp + 472]
    xor r11, rdx
    add r10, rbp
    rorx rdx, rbp, 14
    rorx r8, rbp, 18
    andn r9, rbp, qword ptr [rsp + 1152]
    add rdi, qword ptr [rsp + 1144]
    xor rcx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rbp, 41
    xor rdx, r8
    mov r8, rbp
    and r8, rbx
    add r9, rdi
    mov rdi, qword ptr [rsp + 1160]
    and rdi, r15
    mov r10, qword ptr [rsp + 1160]
    xor r10, r15
    add rcx, r13
    mov qword ptr [rsp + 528], rcx
    rorx r12, qword ptr [rsp + 520], 19
    rorx r13, qword ptr [rsp + 520], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rdi, qword ptr [rsp + 1144]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 440]
    add r9, rcx
    rorx rsi, qword ptr [rsp + 416], 1
    rorx rcx, qword ptr [rsp + 416], 8
    mov qword ptr [rsp + 1168], r15
    mov r15, qword ptr [rsp + 520]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rdi
    add r9, qword ptr [rsp + 1152]
    mov rdi, qword ptr [rsp + 416]
    shr rdi, 7
    xor rsi, rcx
    xor r15, r12
    mov rcx, qword ptr [rsp + 408]
    add rcx, qword ptr [rsp + 480]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rbx
    add r9, qword ptr [rsp + 1160]
    xor rdi, rsi
    add r15, rcx
    add r13, r10
    rorx rcx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rbp
    add r12, r9
    mov r9, qword ptr [rsp + 1168]
    and r9, r11
    mov r10, qword ptr [rsp + 1168]
    xor r10, r11
    add rdi, r15
    mov qword ptr [rsp + 536], rdi
    rorx r14, qword ptr [rsp + 528], 19
    rorx r15, qword ptr [rsp + 528], 61
    xor rcx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1160]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 448]
    add r12, rdi
    rorx rdi, qword ptr [rsp + 424], 1
    mov qword ptr [rsp + 1176], r11
    rorx r11, qword ptr [rsp + 424], 8
    mov qword ptr [rsp + 1184], rax
    mov rax, qword ptr [rsp + 528]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rcx, r8
    add r10, r9
    add rbx, r12
    mov r8, qword ptr [rsp + 424]
    shr r8, 7
    xor rdi, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 416]
    add r9, qword ptr [rsp + 488]
    xor r15, rdx
    add r10, rcx
    rorx rdx, rcx, 14
    rorx r11, rcx, 18
    andn r12, rcx, rbp
    add rbx, qword ptr [rsp + 1168]
    xor r8, rdi
    add rax, r9
    add r15, r10
    rorx rdi, rcx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1184]
    and r9, rcx
    add r12, rbx
    mov rbx, qword ptr [rsp + 1176]
    and rbx, r13
    mov r10, qword ptr [rsp + 1176]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 544], r8
    rorx rax, qword ptr [rsp + 536], 19
    rorx r11, qword ptr [rsp + 536], 61
    xor rdi, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rbx, qword ptr [rsp + 1168]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 456]
    add r12, r8
    rorx rsi, qword ptr [rsp + 432], 1
    rorx r8, qword ptr [rsp + 432], 8
    mov qword ptr [rsp + 1192], r13
    mov r13, qword ptr [rsp + 536]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rdi, r9
    add r10, rbx
    add rbp, r12
    mov rbx, qword ptr [rsp + 432]
    shr rbx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 424]
    add rax, qword ptr [rsp + 496]
    xor r11, rdx
    add r10, rdi
    rorx rdx, rdi, 14
    rorx r8, rdi, 18
    andn r9, rdi, qword ptr [rsp + 1184]
    add rbp, qword ptr [rsp + 1176]
    xor rbx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rdi, 41
    xor rdx, r8
    mov r8, rdi
    and r8, rcx
    add r9, rbp
    mov rbp, qword ptr [rsp + 1192]
    and rbp, r15
    mov r10, qword ptr [rsp + 1192]
    xor r10, r15
    add rbx, r13
    mov qword ptr [rsp + 552], rbx
    rorx r12, qword ptr [rsp + 544], 19
    rorx r13, qword ptr [rsp + 544], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rbp, qword ptr [rsp + 1176]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 464]
    add r9, rbx
    rorx rsi, qword ptr [rsp + 440], 1
    rorx rbx, qword ptr [rsp + 440], 8
    mov qword ptr [rsp + 1200], r15
    mov r15, qword ptr [rsp + 544]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rbp
    add r9, qword ptr [rsp + 1184]
    mov rbp, qword ptr [rsp + 440]
    shr rbp, 7
    xor rsi, rbx
    xor r15, r12
    mov rbx, qword ptr [rsp + 432]
    add rbx, qword ptr [rsp + 504]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rcx
    add r9, qword ptr [rsp + 1192]
    xor rbp, rsi
    add r15, rbx
    add r13, r10
    rorx rbx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rdi
    add r12, r9
    mov r9, qword ptr [rsp + 1200]
    and r9, r11
    mov r10, qword ptr [rsp + 1200]
    xor r10, r11
    add rbp, r15
    mov qword ptr [rsp + 560], rbp
    rorx r14, qword ptr [rsp + 552], 19
    rorx r15, qword ptr [rsp + 552], 61
    xor rbx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1192]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 472]
    add r12, rbp
    rorx rbp, qword ptr [rsp + 448], 1
    mov qword ptr [rsp + 1208], r11
    rorx r11, qword ptr [rsp + 448], 8
    mov qword ptr [rsp + 1216], rax
    mov rax, qword ptr [rsp + 552]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rbx, r8
    add r10, r9
    add rcx, r12
    mov r8, qword ptr [rsp + 448]
    shr r8, 7
    xor rbp, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 440]
    add r9, qword ptr [rsp + 512]
    xor r15, rdx
    add r10, rbx
    rorx rdx, rbx, 14
    rorx r11, rbx, 18
    andn r12, rbx, rdi
    add rcx, qword ptr [rsp + 1200]
    xor r8, rbp
    add rax, r9
    add r15, r10
    rorx rbp, rbx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1216]
    and r9, rbx
    add r12, rcx
    mov rcx, qword ptr [rsp + 1208]
    and rcx, r13
    mov r10, qword ptr [rsp + 1208]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 568], r8
    rorx rax, qword ptr [rsp + 560], 19
    rorx r11, qword ptr [rsp + 560], 61
    xor rbp, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rcx, qword ptr [rsp + 1200]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 480]
    add r12, r8
    rorx rsi, qword ptr [rsp + 456], 1
    rorx r8, qword ptr [rsp + 456], 8
    mov qword ptr [rsp + 1224], r13
    mov r13, qword ptr [rsp + 560]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rbp, r9
    add r10, rcx
    add rdi, r12
    mov rcx, qword ptr [rsp + 456]
    shr rcx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 448]
    add rax, qword ptr [rsp + 520]
    xor r11, rdx
    add r10, rbp
    rorx rdx, rbp, 14
    rorx r8, rbp, 18
    andn r9, rbp, qword ptr [rsp + 1216]
    add rdi, qword ptr [rsp + 1208]
    xor rcx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rbp, 41
    xor rdx, r8
    mov r8, rbp
    and r8, rbx
    add r9, rdi
    mov rdi, qword ptr [rsp + 1224]
    and rdi, r15
    mov r10, qword ptr [rsp + 1224]
    xor r10, r15
    add rcx, r13
    mov qword ptr [rsp + 576], rcx
    rorx r12, qword ptr [rsp + 568], 19
    rorx r13, qword ptr [rsp + 568], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rdi, qword ptr [rsp + 1208]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 488]
    add r9, rcx
    rorx rsi, qword ptr [rsp + 464], 1
    rorx rcx, qword ptr [rsp + 464], 8
    mov qword ptr [rsp + 1232], r15
    mov r15, qword ptr [rsp + 568]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rdi
    add r9, qword ptr [rsp + 1216]
    mov rdi, qword ptr [rsp + 464]
    shr rdi, 7
    xor rsi, rcx
    xor r15, r12
    mov rcx, qword ptr [rsp + 456]
    add rcx, qword ptr [rsp + 528]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rbx
    add r9, qword ptr [rsp + 1224]
    xor rdi, rsi
    add r15, rcx
    add r13, r10
    rorx rcx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rbp
    add r12, r9
    mov r9, qword ptr [rsp + 1232]
    and r9, r11
    mov r10, qword ptr [rsp + 1232]
    xor r10, r11
    add rdi, r15
    mov qword ptr [rsp + 584], rdi
    rorx r14, qword ptr [rsp + 576], 19
    rorx r15, qword ptr [rsp + 576], 61
    xor rcx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1224]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 496]
    add r12, rdi
    rorx rdi, qword ptr [rsp + 472], 1
    mov qword ptr [rsp + 1240], r11
    rorx r11, qword ptr [rsp + 472], 8
    mov qword ptr [rsp + 1248], rax
    mov rax, qword ptr [rsp + 576]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rcx, r8
    add r10, r9
    add rbx, r12
    mov r8, qword ptr [rsp + 472]
    shr r8, 7
    xor rdi, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 464]
    add r9, qword ptr [rsp + 536]
    xor r15, rdx
    add r10, rcx
    rorx rdx, rcx, 14
    rorx r11, rcx, 18
    andn r12, rcx, rbp
    add rbx, qword ptr [rsp + 1232]
    xor r8, rdi
    add rax, r9
    add r15, r10
    rorx rdi, rcx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1248]
    and r9, rcx
    add r12, rbx
    mov rbx, qword ptr [rsp + 1240]
    and rbx, r13
    mov r10, qword ptr [rsp + 1240]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 592], r8
    rorx rax, qword ptr [rsp + 584], 19
    rorx r11, qword ptr [rsp + 584], 61
    xor rdi, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rbx, qword ptr [rsp + 1232]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 504]
    add r12, r8
    rorx rsi, qword ptr [rsp + 480], 1
    rorx r8, qword ptr [rsp + 480], 8
    mov qword ptr [rsp + 1256], r13
    mov r13, qword ptr [rsp + 584]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rdi, r9
    add r10, rbx
    add rbp, r12
    mov rbx, qword ptr [rsp + 480]
    shr rbx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 472]
    add rax, qword ptr [rsp + 544]
    xor r11, rdx
    add r10, rdi
    rorx rdx, rdi, 14
    rorx r8, rdi, 18
    andn r9, rdi, qword ptr [rsp + 1248]
    add rbp, qword ptr [rsp + 1240]
    xor rbx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rdi, 41
    xor rdx, r8
    mov r8, rdi
    and r8, rcx
    add r9, rbp
    mov rbp, qword ptr [rsp + 1256]
    and rbp, r15
    mov r10, qword ptr [rsp + 1256]
    xor r10, r15
    add rbx, r13
    mov qword ptr [rsp + 600], rbx
    rorx r12, qword ptr [rsp + 592], 19
    rorx r13, qword ptr [rsp + 592], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rbp, qword ptr [rsp + 1240]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 512]
    add r9, rbx
    rorx rsi, qword ptr [rsp + 488], 1
    rorx rbx, qword ptr [rsp + 488], 8
    mov qword ptr [rsp + 1264], r15
    mov r15, qword ptr [rsp + 592]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rbp
    add r9, qword ptr [rsp + 1248]
    mov rbp, qword ptr [rsp + 488]
    shr rbp, 7
    xor rsi, rbx
    xor r15, r12
    mov rbx, qword ptr [rsp + 480]
    add rbx, qword ptr [rsp + 552]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rcx
    add r9, qword ptr [rsp + 1256]
    xor rbp, rsi
    add r15, rbx
    add r13, r10
    rorx rbx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rdi
    add r12, r9
    mov r9, qword ptr [rsp + 1264]
    and r9, r11
    mov r10, qword ptr [rsp + 1264]
    xor r10, r11
    add rbp, r15
    mov qword ptr [rsp + 608], rbp
    rorx r14, qword ptr [rsp + 600], 19
    rorx r15, qword ptr [rsp + 600], 61
    xor rbx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1256]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 520]
    add r12, rbp
    rorx rbp, qword ptr [rsp + 496], 1
    mov qword ptr [rsp + 1272], r11
    rorx r11, qword ptr [rsp + 496], 8
    mov qword ptr [rsp + 1280], rax
    mov rax, qword ptr [rsp + 600]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rbx, r8
    add r10, r9
    add rcx, r12
    mov r8, qword ptr [rsp + 496]
    shr r8, 7
    xor rbp, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 488]
    add r9, qword ptr [rsp + 560]
    xor r15, rdx
    add r10, rbx
    rorx rdx, rbx, 14
    rorx r11, rbx, 18
    andn r12, rbx, rdi
    add rcx, qword ptr [rsp + 1264]
    xor r8, rbp
    add rax, r9
    add r15, r10
    rorx rbp, rbx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1280]
    and r9, rbx
    add r12, rcx
    mov rcx, qword ptr [rsp + 1272]
    and rcx, r13
    mov r10, qword ptr [rsp + 1272]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 616], r8
    rorx rax, qword ptr [rsp + 608], 19
    rorx r11, qword ptr [rsp + 608], 61
    xor rbp, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rcx, qword ptr [rsp + 1264]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 528]
    add r12, r8
    rorx rsi, qword ptr [rsp + 504], 1
    rorx r8, qword ptr [rsp + 504], 8
    mov qword ptr [rsp + 1288], r13
    mov r13, qword ptr [rsp + 608]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rbp, r9
    add r10, rcx
    add rdi, r12
    mov rcx, qword ptr [rsp + 504]
    shr rcx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 496]
    add rax, qword ptr [rsp + 568]
    xor r11, rdx
    add r10, rbp
    rorx rdx, rbp, 14
    rorx r8, rbp, 18
    andn r9, rbp, qword ptr [rsp + 1280]
    add rdi, qword ptr [rsp + 1272]
    xor rcx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rbp, 41
    xor rdx, r8
    mov r8, rbp
    and r8, rbx
    add r9, rdi
    mov rdi, qword ptr [rsp + 1288]
    and rdi, r15
    mov r10, qword ptr [rsp + 1288]
    xor r10, r15
    add rcx, r13
    mov qword ptr [rsp + 624], rcx
    rorx r12, qword ptr [rsp + 616], 19
    rorx r13, qword ptr [rsp + 616], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rdi, qword ptr [rsp + 1272]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 536]
    add r9, rcx
    rorx rsi, qword ptr [rsp + 512], 1
    rorx rcx, qword ptr [rsp + 512], 8
    mov qword ptr [rsp + 1296], r15
    mov r15, qword ptr [rsp + 616]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rdi
    add r9, qword ptr [rsp + 1280]
    mov rdi, qword ptr [rsp + 512]
    shr rdi, 7
    xor rsi, rcx
    xor r15, r12
    mov rcx, qword ptr [rsp + 504]
    add rcx, qword ptr [rsp + 576]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rbx
    add r9, qword ptr [rsp + 1288]
    xor rdi, rsi
    add r15, rcx
    add r13, r10
    rorx rcx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rbp
    add r12, r9
    mov r9, qword ptr [rsp + 1296]
    and r9, r11
    mov r10, qword ptr [rsp + 1296]
    xor r10, r11
    add rdi, r15
    mov qword ptr [rsp + 632], rdi
    rorx r14, qword ptr [rsp + 624], 19
    rorx r15, qword ptr [rsp + 624], 61
    xor rcx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1288]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 544]
    add r12, rdi
    rorx rdi, qword ptr [rsp + 520], 1
    mov qword ptr [rsp + 1304], r11
    rorx r11, qword ptr [rsp + 520], 8
    mov qword ptr [rsp + 1312], rax
    mov rax, qword ptr [rsp + 624]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rcx, r8
    add r10, r9
    add rbx, r12
    mov r8, qword ptr [rsp + 520]
    shr r8, 7
    xor rdi, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 512]
    add r9, qword ptr [rsp + 584]
    xor r15, rdx
    add r10, rcx
    rorx rdx, rcx, 14
    rorx r11, rcx, 18
    andn r12, rcx, rbp
    add rbx, qword ptr [rsp + 1296]
    xor r8, rdi
    add rax, r9
    add r15, r10
    rorx rdi, rcx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1312]
    and r9, rcx
    add r12, rbx
    mov rbx, qword ptr [rsp + 1304]
    and rbx, r13
    mov r10, qword ptr [rsp + 1304]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 640], r8
    rorx rax, qword ptr [rsp + 632], 19
    rorx r11, qword ptr [rsp + 632], 61
    xor rdi, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rbx, qword ptr [rsp + 1296]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 552]
    add r12, r8
    rorx rsi, qword ptr [rsp + 528], 1
    rorx r8, qword ptr [rsp + 528], 8
    mov qword ptr [rsp + 1320], r13
    mov r13, qword ptr [rsp + 632]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rdi, r9
    add r10, rbx
    add rbp, r12
    mov rbx, qword ptr [rsp + 528]
    shr rbx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 520]
    add rax, qword ptr [rsp + 592]
    xor r11, rdx
    add r10, rdi
    rorx rdx, rdi, 14
    rorx r8, rdi, 18
    andn r9, rdi, qword ptr [rsp + 1312]
    add rbp, qword ptr [rsp + 1304]
    xor rbx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rdi, 41
    xor rdx, r8
    mov r8, rdi
    and r8, rcx
    add r9, rbp
    mov rbp, qword ptr [rsp + 1320]
    and rbp, r15
    mov r10, qword ptr [rsp + 1320]
    xor r10, r15
    add rbx, r13
    mov qword ptr [rsp + 648], rbx
    rorx r12, qword ptr [rsp + 640], 19
    rorx r13, qword ptr [rsp + 640], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rbp, qword ptr [rsp + 1304]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 560]
    add r9, rbx
    rorx rsi, qword ptr [rsp + 536], 1
    rorx rbx, qword ptr [rsp + 536], 8
    mov qword ptr [rsp + 1328], r15
    mov r15, qword ptr [rsp + 640]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rbp
    add r9, qword ptr [rsp + 1312]
    mov rbp, qword ptr [rsp + 536]
    shr rbp, 7
    xor rsi, rbx
    xor r15, r12
    mov rbx, qword ptr [rsp + 528]
    add rbx, qword ptr [rsp + 600]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rcx
    add r9, qword ptr [rsp + 1320]
    xor rbp, rsi
    add r15, rbx
    add r13, r10
    rorx rbx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rdi
    add r12, r9
    mov r9, qword ptr [rsp + 1328]
    and r9, r11
    mov r10, qword ptr [rsp + 1328]
    xor r10, r11
    add rbp, r15
    mov qword ptr [rsp + 656], rbp
    rorx r14, qword ptr [rsp + 648], 19
    rorx r15, qword ptr [rsp + 648], 61
    xor rbx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1320]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 568]
    add r12, rbp
    rorx rbp, qword ptr [rsp + 544], 1
    mov qword ptr [rsp + 1336], r11
    rorx r11, qword ptr [rsp + 544], 8
    mov qword ptr [rsp + 1344], rax
    mov rax, qword ptr [rsp + 648]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rbx, r8
    add r10, r9
    add rcx, r12
    mov r8, qword ptr [rsp + 544]
    shr r8, 7
    xor rbp, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 536]
    add r9, qword ptr [rsp + 608]
    xor r15, rdx
    add r10, rbx
    rorx rdx, rbx, 14
    rorx r11, rbx, 18
    andn r12, rbx, rdi
    add rcx, qword ptr [rsp + 1328]
    xor r8, rbp
    add rax, r9
    add r15, r10
    rorx rbp, rbx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1344]
    and r9, rbx
    add r12, rcx
    mov rcx, qword ptr [rsp + 1336]
    and rcx, r13
    mov r10, qword ptr [rsp + 1336]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 664], r8
    rorx rax, qword ptr [rsp + 656], 19
    rorx r11, qword ptr [rsp + 656], 61
    xor rbp, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rcx, qword ptr [rsp + 1328]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 576]
    add r12, r8
    rorx rsi, qword ptr [rsp + 552], 1
    rorx r8, qword ptr [rsp + 552], 8
    mov qword ptr [rsp + 1352], r13
    mov r13, qword ptr [rsp + 656]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rbp, r9
    add r10, rcx
    add rdi, r12
    mov rcx, qword ptr [rsp + 552]
    shr rcx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 544]
    add rax, qword ptr [rsp + 616]
    xor r11, rdx
    add r10, rbp
    rorx rdx, rbp, 14
    rorx r8, rbp, 18
    andn r9, rbp, qword ptr [rsp + 1344]
    add rdi, qword ptr [rsp + 1336]
    xor rcx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rbp, 41
    xor rdx, r8
    mov r8, rbp
    and r8, rbx
    add r9, rdi
    mov rdi, qword ptr [rsp + 1352]
    and rdi, r15
    mov r10, qword ptr [rsp + 1352]
    xor r10, r15
    add rcx, r13
    mov qword ptr [rsp + 672], rcx
    rorx r12, qword ptr [rsp + 664], 19
    rorx r13, qword ptr [rsp + 664], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rdi, qword ptr [rsp + 1336]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 584]
    add r9, rcx
    rorx rsi, qword ptr [rsp + 560], 1
    rorx rcx, qword ptr [rsp + 560], 8
    mov qword ptr [rsp + 1360], r15
    mov r15, qword ptr [rsp + 664]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rdi
    add r9, qword ptr [rsp + 1344]
    mov rdi, qword ptr [rsp + 560]
    shr rdi, 7
    xor rsi, rcx
    xor r15, r12
    mov rcx, qword ptr [rsp + 552]
    add rcx, qword ptr [rsp + 624]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rbx
    add r9, qword ptr [rsp + 1352]
    xor rdi, rsi
    add r15, rcx
    add r13, r10
    rorx rcx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rbp
    add r12, r9
    mov r9, qword ptr [rsp + 1360]
    and r9, r11
    mov r10, qword ptr [rsp + 1360]
    xor r10, r11
    add rdi, r15
    mov qword ptr [rsp + 680], rdi
    rorx r14, qword ptr [rsp + 672], 19
    rorx r15, qword ptr [rsp + 672], 61
    xor rcx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1352]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 592]
    add r12, rdi
    rorx rdi, qword ptr [rsp + 568], 1
    mov qword ptr [rsp + 1368], r11
    rorx r11, qword ptr [rsp + 568], 8
    mov qword ptr [rsp + 1376], rax
    mov rax, qword ptr [rsp + 672]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rcx, r8
    add r10, r9
    add rbx, r12
    mov r8, qword ptr [rsp + 568]
    shr r8, 7
    xor rdi, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 560]
    add r9, qword ptr [rsp + 632]
    xor r15, rdx
    add r10, rcx
    rorx rdx, rcx, 14
    rorx r11, rcx, 18
    andn r12, rcx, rbp
    add rbx, qword ptr [rsp + 1360]
    xor r8, rdi
    add rax, r9
    add r15, r10
    rorx rdi, rcx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1376]
    and r9, rcx
    add r12, rbx
    mov rbx, qword ptr [rsp + 1368]
    and rbx, r13
    mov r10, qword ptr [rsp + 1368]
    xor r10, r13
    add r8, rax
    mov qword ptr [rsp + 688], r8
    rorx rax, qword ptr [rsp + 680], 19
    rorx r11, qword ptr [rsp + 680], 61
    xor rdi, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rbx, qword ptr [rsp + 1360]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 600]
    add r12, r8
    rorx rsi, qword ptr [rsp + 576], 1
    rorx r8, qword ptr [rsp + 576], 8
    mov qword ptr [rsp + 1384], r13
    mov r13, qword ptr [rsp + 680]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rdi, r9
    add r10, rbx
    add rbp, r12
    mov rbx, qword ptr [rsp + 576]
    shr rbx, 7
    xor rsi, r8
    xor r13, rax
    mov rax, qword ptr [rsp + 568]
    add rax, qword ptr [rsp + 640]
    xor r11, rdx
    add r10, rdi
    rorx rdx, rdi, 14
    rorx r8, rdi, 18
    andn r9, rdi, qword ptr [rsp + 1376]
    add rbp, qword ptr [rsp + 1368]
    xor rbx, rsi
    add r13, rax
    add r11, r10
    rorx rax, rdi, 41
    xor rdx, r8
    mov r8, rdi
    and r8, rcx
    add r9, rbp
    mov rbp, qword ptr [rsp + 1384]
    and rbp, r15
    mov r10, qword ptr [rsp + 1384]
    xor r10, r15
    add rbx, r13
    mov qword ptr [rsp + 696], rbx
    rorx r12, qword ptr [rsp + 688], 19
    rorx r13, qword ptr [rsp + 688], 61
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r14, r11, 34
    add r8, r9
    and r10, r11
    sub rbp, qword ptr [rsp + 1368]
    mov r9, qword ptr [rip + .Lsha512_bmi2_k + 608]
    add r9, rbx
    rorx rsi, qword ptr [rsp + 584], 1
    rorx rbx, qword ptr [rsp + 584], 8
    mov qword ptr [rsp + 1392], r15
    mov r15, qword ptr [rsp + 688]
    shr r15, 6
    xor r12, r13
    rorx r13, r11, 39
    xor rdx, r14
    add rax, r8
    add r10, rbp
    add r9, qword ptr [rsp + 1376]
    mov rbp, qword ptr [rsp + 584]
    shr rbp, 7
    xor rsi, rbx
    xor r15, r12
    mov rbx, qword ptr [rsp + 576]
    add rbx, qword ptr [rsp + 648]
    xor r13, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx r8, rax, 18
    andn r12, rax, rcx
    add r9, qword ptr [rsp + 1384]
    xor rbp, rsi
    add r15, rbx
    add r13, r10
    rorx rbx, rax, 41
    xor rdx, r8
    mov r8, rax
    and r8, rdi
    add r12, r9
    mov r9, qword ptr [rsp + 1392]
    and r9, r11
    mov r10, qword ptr [rsp + 1392]
    xor r10, r11
    add rbp, r15
    mov qword ptr [rsp + 704], rbp
    rorx r14, qword ptr [rsp + 696], 19
    rorx r15, qword ptr [rsp + 696], 61
    xor rbx, rdx
    rorx rdx, r13, 28
    rorx rsi, r13, 34
    add r8, r12
    and r10, r13
    sub r9, qword ptr [rsp + 1384]
    mov r12, qword ptr [rip + .Lsha512_bmi2_k + 616]
    add r12, rbp
    rorx rbp, qword ptr [rsp + 592], 1
    mov qword ptr [rsp + 1400], r11
    rorx r11, qword ptr [rsp + 592], 8
    mov qword ptr [rsp + 1408], rax
    mov rax, qword ptr [rsp + 696]
    shr rax, 6
    xor r14, r15
    rorx r15, r13, 39
    xor rdx, rsi
    add rbx, r8
    add r10, r9
    add rcx, r12
    mov r8, qword ptr [rsp + 592]
    shr r8, 7
    xor rbp, r11
    xor rax, r14
    mov r9, qword ptr [rsp + 584]
    add r9, qword ptr [rsp + 656]
    xor r15, rdx
    add r10, rbx
    rorx rdx, rbx, 14
    rorx r11, rbx, 18
    andn r12, rbx, rdi
    add rcx, qword ptr [rsp + 1392]
    xor r8, rbp
    add rax, r9
    add r15, r10
    rorx rbp, rbx, 41
    xor rdx, r11
    mov r9, qword ptr [rsp + 1408]
    and r9, rbx
    add r12, rcx
    mov rcx, qword ptr [rsp + 1400]
    and rcx, r13
    mov r10, qword ptr [rsp + 1400]
    xor r10, r13
    add r8, rax
    rorx rax, qword ptr [rsp + 704], 19
    rorx r11, qword ptr [rsp + 704], 61
    xor rbp, rdx
    rorx rdx, r15, 28
    rorx r14, r15, 34
    add r9, r12
    and r10, r15
    sub rcx, qword ptr [rsp + 1392]
    add r8, qword ptr [rip + .Lsha512_bmi2_k + 624]
    rorx r12, qword ptr [rsp + 600], 1
    rorx rsi, qword ptr [rsp + 600], 8
    mov qword ptr [rsp + 1416], r13
    mov r13, qword ptr [rsp + 704]
    shr r13, 6
    xor rax, r11
    rorx r11, r15, 39
    xor rdx, r14
    add rbp, r9
    add r10, rcx
    add rdi, r8
    mov rcx, qword ptr [rsp + 600]
    shr rcx, 7
    xor r12, rsi
    xor r13, rax
    mov rax, qword ptr [rsp + 592]
    add rax, qword ptr [rsp + 664]
    xor r11, rdx
    add r10, rbp
    rorx rdx, rbp, 14
    rorx r8, rbp, 18
    andn r9, rbp, qword ptr [rsp + 1408]
    add rdi, qword ptr [rsp + 1400]
    xor rcx, r12
    add r13, rax
    add r11, r10
    rorx rax, rbp, 41
    xor rdx, r8
    mov r8, rbp
    and r8, rbx
    add r9, rdi
    mov rdi, qword ptr [rsp + 1416]
    and rdi, r15
    mov r10, qword ptr [rsp + 1416]
    xor r10, r15
    add rcx, r13
    xor rax, rdx
    rorx rdx, r11, 28
    rorx r12, r11, 34
    add r8, r9
    and r10, r11
    sub rdi, qword ptr [rsp + 1400]
    add rcx, qword ptr [rip + .Lsha512_bmi2_k + 632]
    rorx r9, r11, 39
    xor rdx, r12
    add rax, r8
    add r10, rdi
    add rcx, qword ptr [rsp + 1408]
    xor r9, rdx
    add r10, rax
    rorx rdx, rax, 14
    rorx rdi, rax, 18
    andn r8, rax, rbx
    add rcx, qword ptr [rsp + 1416]
    add r9, r10
    rorx r10, rax, 41
    xor rdx, rdi
    mov rdi, rax
    and rdi, rbp
    add r8, rcx
    mov rcx, r11
    and rcx, r15
    mov r12, r11
    xor r12, r15
    xor r10, rdx
    rorx rdx, r9, 28
    rorx r13, r9, 34
    add rdi, r8
    and r12, r9
    sub rcx, qword ptr [rsp + 1416]
    rorx r8, r9, 39
    xor rdx, r13
    add r10, rdi
    add r12, rcx
    xor r8, rdx
    add r12, r10
    add r8, r12
    add r8, qword ptr [rsp]
    add r9, qword ptr [rsp + 8]
    add r11, qword ptr [rsp + 16]
    add r15, qword ptr [rsp + 24]
    add r10, qword ptr [rsp + 32]
    add rax, qword ptr [rsp + 40]
    add rbp, qword ptr [rsp + 48]
    add rbx, qword ptr [rsp + 56]
    mov qword ptr [rsp], r8
    mov qword ptr [rsp + 8], r9
    mov qword ptr [rsp + 16], r11
    mov qword ptr [rsp + 24], r15
    mov qword ptr [rsp + 32], r10
    mov qword ptr [rsp + 40], rax
    mov qword ptr [rsp + 48], rbp
    mov qword ptr [rsp + 56], rbx
    mov rcx, r9
    mov r9, rbx
    mov rdx, r11
    mov rdi, rax
    mov rax, r8
    mov rbx, r15
    mov r8, rbp
    mov rbp, r10
    sub qword ptr [rsp + 80], 1
    jnz .Lsha512_bmi2_block
    mov rsi, qword ptr [rsp + 64]
    mov qword ptr [rsi], rax
    mov qword ptr [rsi + 8], rcx
    mov qword ptr [rsi + 16], rdx
    mov qword ptr [rsi + 24], rbx
    mov qword ptr [rsi + 32], rbp
    mov qword ptr [rsi + 48], r8
    mov qword ptr [rsi + 56], r9
    mov qword ptr [rsi + 40], rdi
    add rsp, 1424
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
.Lsha512_bmi2_end:
    ret
    .cfi_endproc
    .p2align 6
.Lsha512_bmi2_k:
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
