mov ah, cl
mov cl, dh
mov bh, ch
mov ah, byte ptr [rdi]
mov byte ptr [rdi], ch
xor dh, 5
add ah, cl
or ch, dl
shl dh, 3
movzx eax, ch
xchg rax, rcx
xchg eax, ecx
xchg cx, dx
xchg cl, dl
xchg qword ptr [rdi], rax
xchg dword ptr [rdi], eax
rol eax, 33
ror rax, 64
rol cx, 9
ror cl, 5
rol rax, 63
shl cx, 15
shr cl, 7
shl eax, 32
shr rax, 63
shr qword ptr [rdi], 3
imul rax, rcx, -5
imul eax, dword ptr [rdi], 77
imul cx, dx, 300
imul rax, rcx
imul eax, ecx
imul rdx, qword ptr [rdi]
bzhi rax, rcx, rdx
bzhi eax, dword ptr [rdi], ecx
andn rax, rcx, rdx
andn eax, ecx, dword ptr [rdi]
rorx rax, rcx, 77
rorx eax, dword ptr [rdi], 40
cmove rax, rcx
cmovne rax, rcx
cmovb rax, rcx
cmovae rax, rcx
cmovbe rax, rcx
cmova rax, rcx
cmovs rax, rcx
cmovns rax, rcx
cmovl rax, rcx
cmovge rax, rcx
cmovle rax, rcx
cmovg rax, rcx
cmova cx, dx
cmovl eax, dword ptr [rdi]
sete cl
setne cl
setb cl
setae cl
setbe cl
seta cl
sets cl
setns cl
setl cl
setge cl
setle cl
setg cl
setg byte ptr [rdi]
inc cl
inc cx
inc eax
inc rax
inc dword ptr [rdi]
dec cl
dec cx
dec eax
dec rax
dec dword ptr [rdi]
not cl
not cx
not eax
not rax
not dword ptr [rdi]
add cl, dl
add cx, dx
add word ptr [rdi], 5
add byte ptr [rdi], cl
add rax, -7
add eax, -7
sub cl, dl
sub cx, dx
sub word ptr [rdi], 5
sub byte ptr [rdi], cl
sub rax, -7
sub eax, -7
and cl, dl
and cx, dx
and word ptr [rdi], 5
and byte ptr [rdi], cl
and rax, -7
and eax, -7
or cl, dl
or cx, dx
or word ptr [rdi], 5
or byte ptr [rdi], cl
or rax, -7
or eax, -7
xor cl, dl
xor cx, dx
xor word ptr [rdi], 5
xor byte ptr [rdi], cl
xor rax, -7
xor eax, -7
cmp cl, dl
cmp cx, dx
cmp word ptr [rdi], 5
cmp byte ptr [rdi], cl
cmp rax, -7
cmp eax, -7
test cl, dl
test cx, dx
test word ptr [rdi], 5
test byte ptr [rdi], cl
test rax, -7
test eax, -7
lea cx, [rax+rdx*4+5]
lea ecx, [rax+rdx*8-7]
lea rcx, [rdx*2+77]
movzx ecx, dl
movzx rcx, dx
movzx cx, dl
movzx eax, byte ptr [rdi]
movsx cx, dl
movsx rcx, dx
movsxd rcx, edx
movsxd rcx, dword ptr [rdi]
mov cl, dl
mov cx, dx
mov byte ptr [rdi], 5
mov word ptr [rdi], cx
mov qword ptr [rdi], -7
mov rax, -5
movabs rax, 0x123456789abcdef0
bswap rcx
ret
