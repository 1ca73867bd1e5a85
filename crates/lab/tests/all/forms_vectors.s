vpcmpeqq k1, xmm2, xmm3
vpcmpuq k2, xmm2, xmm3, 0
vpcmpuq k2, xmm2, xmm3, 1
vpcmpuq k2, xmm2, xmm3, 2
vpcmpuq k2, xmm2, xmm3, 4
vpcmpuq k2, xmm2, xmm3, 5
vpcmpuq k2, xmm2, xmm3, 6
vpcmpuq k3, xmm2, [rdi], 1
vpminuq xmm1, xmm2, xmm3
vpminuq xmm1, xmm2, [rdi]
vpminuq xmm1, xmm2, [rdi]{1to2}
vpmaxuq xmm1, xmm2, xmm3
vpmaxuq xmm1, xmm2, [rdi]
vpmaxuq xmm1, xmm2, [rdi]{1to2}
vpermt2q xmm1, xmm2, xmm3
vpermt2q xmm1, xmm2, [rdi]
vpermi2q xmm1, xmm2, xmm3
vpermi2q xmm1, xmm2, [rdi]
vpermt2d xmm1, xmm2, xmm3
vpermt2d xmm1, xmm2, [rdi]
vpermi2d xmm1, xmm2, xmm3
vpermi2d xmm1, xmm2, [rdi]
vpermt2q xmm1, xmm2, [rdi]{1to2}
vpternlogd xmm1, xmm2, xmm3, 0
vpternlogq xmm1, xmm2, [rdi]{1to2}, 0
vpternlogd xmm1, xmm2, xmm3, 27
vpternlogq xmm1, xmm2, [rdi]{1to2}, 27
vpternlogd xmm1, xmm2, xmm3, 150
vpternlogq xmm1, xmm2, [rdi]{1to2}, 150
vpternlogd xmm1, xmm2, xmm3, 202
vpternlogq xmm1, xmm2, [rdi]{1to2}, 202
vpternlogd xmm1, xmm2, xmm3, 232
vpternlogq xmm1, xmm2, [rdi]{1to2}, 232
vpternlogd xmm1, xmm2, xmm3, 255
vpternlogq xmm1, xmm2, [rdi]{1to2}, 255
vpternlogd xmm1, xmm2, xmm3, 45
vpternlogq xmm1, xmm2, [rdi]{1to2}, 45
vprord xmm1, xmm2, 0
vprord xmm1, xmm2, 7
vprord xmm1, xmm2, 32
vprord xmm1, xmm2, 45
vprord xmm1, xmm2, 77
vprorq xmm1, xmm2, 0
vprorq xmm1, xmm2, 7
vprorq xmm1, xmm2, 32
vprorq xmm1, xmm2, 45
vprorq xmm1, xmm2, 77
vprold xmm1, xmm2, 0
vprold xmm1, xmm2, 7
vprold xmm1, xmm2, 32
vprold xmm1, xmm2, 45
vprold xmm1, xmm2, 77
vprolq xmm1, xmm2, 0
vprolq xmm1, xmm2, 7
vprolq xmm1, xmm2, 32
vprolq xmm1, xmm2, 45
vprolq xmm1, xmm2, 77
vpsrld xmm1, xmm2, 0
vpsrld xmm1, xmm2, 5
vpsrld xmm1, xmm2, 8
vpsrld xmm1, xmm2, 31
vpsrld xmm1, xmm2, 32
vpsrld xmm1, xmm2, 64
vpsrld xmm1, xmm2, 255
vpslld xmm1, xmm2, 0
vpslld xmm1, xmm2, 5
vpslld xmm1, xmm2, 8
vpslld xmm1, xmm2, 31
vpslld xmm1, xmm2, 32
vpslld xmm1, xmm2, 64
vpslld xmm1, xmm2, 255
vpsrlq xmm1, xmm2, 0
vpsrlq xmm1, xmm2, 5
vpsrlq xmm1, xmm2, 8
vpsrlq xmm1, xmm2, 31
vpsrlq xmm1, xmm2, 32
vpsrlq xmm1, xmm2, 64
vpsrlq xmm1, xmm2, 255
vpsllq xmm1, xmm2, 0
vpsllq xmm1, xmm2, 5
vpsllq xmm1, xmm2, 8
vpsllq xmm1, xmm2, 31
vpsllq xmm1, xmm2, 32
vpsllq xmm1, xmm2, 64
vpsllq xmm1, xmm2, 255
vpsrlw xmm1, xmm2, 0
vpsrlw xmm1, xmm2, 5
vpsrlw xmm1, xmm2, 8
vpsrlw xmm1, xmm2, 31
vpsrlw xmm1, xmm2, 32
vpsrlw xmm1, xmm2, 64
vpsrlw xmm1, xmm2, 255
vpsllw xmm1, xmm2, 0
vpsllw xmm1, xmm2, 5
vpsllw xmm1, xmm2, 8
vpsllw xmm1, xmm2, 31
vpsllw xmm1, xmm2, 32
vpsllw xmm1, xmm2, 64
vpsllw xmm1, xmm2, 255
vpsrldq xmm1, xmm2, 0
vpsrldq xmm1, xmm2, 3
vpsrldq xmm1, xmm2, 15
vpsrldq xmm1, xmm2, 16
vpsrldq xmm1, xmm2, 200
vpslldq xmm1, xmm2, 0
vpslldq xmm1, xmm2, 3
vpslldq xmm1, xmm2, 15
vpslldq xmm1, xmm2, 16
vpslldq xmm1, xmm2, 200
vpalignr xmm1, xmm2, xmm3, 0
vpalignr xmm1, xmm2, xmm3, 5
vpalignr xmm1, xmm2, xmm3, 16
vpalignr xmm1, xmm2, xmm3, 21
vpalignr xmm1, xmm2, xmm3, 32
vpalignr xmm1, xmm2, xmm3, 99
valignd xmm1, xmm2, xmm3, 0
valignd xmm1, xmm2, xmm3, 1
valignd xmm1, xmm2, xmm3, 3
valignd xmm1, xmm2, xmm3, 9
valignq xmm1, xmm2, xmm3, 0
valignq xmm1, xmm2, xmm3, 1
valignq xmm1, xmm2, xmm3, 3
valignq xmm1, xmm2, xmm3, 9
vpshufd xmm1, xmm2, 27
vpshufd xmm1, xmm2, 198
vpshuflw xmm1, xmm2, 27
vpshuflw xmm1, xmm2, 198
vpshufhw xmm1, xmm2, 27
vpshufhw xmm1, xmm2, 198
vmovddup xmm1, xmm2
vmovddup xmm1, [rdi]
vshufps xmm1, xmm2, xmm3, 27
vshufps xmm1, xmm2, xmm3, 198
vshufpd xmm1, xmm2, xmm3, 27
vshufpd xmm1, xmm2, xmm3, 198
vpshufb xmm1, xmm2, xmm3
vpshufb xmm1, xmm2, [rdi]
vpunpckldq xmm1, xmm2, xmm3
vpunpckhdq xmm1, xmm2, xmm3
vpunpcklqdq xmm1, xmm2, xmm3
vpunpckhqdq xmm1, xmm2, xmm3
vunpcklps xmm1, xmm2, xmm3
vunpckhps xmm1, xmm2, xmm3
vunpcklpd xmm1, xmm2, xmm3
vunpckhpd xmm1, xmm2, xmm3
vpaddd xmm1, xmm2, xmm3
vpaddq xmm1, xmm2, xmm3
vpsubd xmm1, xmm2, xmm3
vpsubq xmm1, xmm2, xmm3
vpandd xmm1, xmm2, xmm3
vpandq xmm1, xmm2, xmm3
vpandnd xmm1, xmm2, xmm3
vpandnq xmm1, xmm2, xmm3
vpord xmm1, xmm2, xmm3
vporq xmm1, xmm2, xmm3
vpxord xmm1, xmm2, xmm3
vpxorq xmm1, xmm2, xmm3
vpaddd xmm1, xmm2, [rdi]{1to4}
vpandnq xmm1, xmm2, [rdi]{1to2}
vpsubd xmm1, xmm1, xmm2
vpxorq xmm1, xmm2, xmm2
vmovdqu8 xmm1{k1}{z}, [rdi]
vmovdqu8 [rdi]{k1}, xmm2
vmovdqu8 xmm1, [rdi]
vmovdqu32 xmm1{k1}{z}, [rdi]
vmovdqu32 [rdi]{k1}, xmm2
vmovdqu32 xmm1, [rdi]
vmovdqu64 xmm1{k1}{z}, [rdi]
vmovdqu64 [rdi]{k1}, xmm2
vmovdqu64 xmm1, [rdi]
vmovdqu16 xmm1{k1}, xmm2
vmovdqu16 xmm1{k1}{z}, xmm2
vmovdqa32 xmm1{k1}, xmm2
vmovdqa32 xmm1{k1}{z}, xmm2
vmovdqa64 xmm1{k1}, xmm2
vmovdqa64 xmm1{k1}{z}, xmm2
vpaddd xmm1{k1}, xmm2, xmm3
vpaddd xmm1{k1}{z}, xmm2, xmm3
vpaddq xmm1{k1}, xmm2, xmm3
vpaddq xmm1{k1}{z}, xmm2, xmm3
vpxord xmm1{k1}, xmm2, xmm3
vpxord xmm1{k1}{z}, xmm2, xmm3
vpxorq xmm1{k1}, xmm2, xmm3
vpxorq xmm1{k1}{z}, xmm2, xmm3
vpbroadcastd xmm1{k1}, ecx
vpbroadcastq xmm1{k1}{z}, rcx
vpbroadcastd xmm1, xmm2
vpbroadcastq xmm1, [rdi]
vpbroadcastd xmm1{k1}, xmm2
vbroadcastss xmm1, xmm2
vpcmpeqq k1, ymm2, ymm3
vpcmpuq k2, ymm2, ymm3, 0
vpcmpuq k2, ymm2, ymm3, 1
vpcmpuq k2, ymm2, ymm3, 2
vpcmpuq k2, ymm2, ymm3, 4
vpcmpuq k2, ymm2, ymm3, 5
vpcmpuq k2, ymm2, ymm3, 6
vpcmpuq k3, ymm2, [rdi], 1
vpminuq ymm1, ymm2, ymm3
vpminuq ymm1, ymm2, [rdi]
vpminuq ymm1, ymm2, [rdi]{1to4}
vpmaxuq ymm1, ymm2, ymm3
vpmaxuq ymm1, ymm2, [rdi]
vpmaxuq ymm1, ymm2, [rdi]{1to4}
vpermt2q ymm1, ymm2, ymm3
vpermt2q ymm1, ymm2, [rdi]
vpermi2q ymm1, ymm2, ymm3
vpermi2q ymm1, ymm2, [rdi]
vpermt2d ymm1, ymm2, ymm3
vpermt2d ymm1, ymm2, [rdi]
vpermi2d ymm1, ymm2, ymm3
vpermi2d ymm1, ymm2, [rdi]
vpermt2q ymm1, ymm2, [rdi]{1to4}
vpternlogd ymm1, ymm2, ymm3, 0
vpternlogq ymm1, ymm2, [rdi]{1to4}, 0
vpternlogd ymm1, ymm2, ymm3, 27
vpternlogq ymm1, ymm2, [rdi]{1to4}, 27
vpternlogd ymm1, ymm2, ymm3, 150
vpternlogq ymm1, ymm2, [rdi]{1to4}, 150
vpternlogd ymm1, ymm2, ymm3, 202
vpternlogq ymm1, ymm2, [rdi]{1to4}, 202
vpternlogd ymm1, ymm2, ymm3, 232
vpternlogq ymm1, ymm2, [rdi]{1to4}, 232
vpternlogd ymm1, ymm2, ymm3, 255
vpternlogq ymm1, ymm2, [rdi]{1to4}, 255
vpternlogd ymm1, ymm2, ymm3, 45
vpternlogq ymm1, ymm2, [rdi]{1to4}, 45
vprord ymm1, ymm2, 0
vprord ymm1, ymm2, 7
vprord ymm1, ymm2, 32
vprord ymm1, ymm2, 45
vprord ymm1, ymm2, 77
vprorq ymm1, ymm2, 0
vprorq ymm1, ymm2, 7
vprorq ymm1, ymm2, 32
vprorq ymm1, ymm2, 45
vprorq ymm1, ymm2, 77
vprold ymm1, ymm2, 0
vprold ymm1, ymm2, 7
vprold ymm1, ymm2, 32
vprold ymm1, ymm2, 45
vprold ymm1, ymm2, 77
vprolq ymm1, ymm2, 0
vprolq ymm1, ymm2, 7
vprolq ymm1, ymm2, 32
vprolq ymm1, ymm2, 45
vprolq ymm1, ymm2, 77
vpsrld ymm1, ymm2, 0
vpsrld ymm1, ymm2, 5
vpsrld ymm1, ymm2, 8
vpsrld ymm1, ymm2, 31
vpsrld ymm1, ymm2, 32
vpsrld ymm1, ymm2, 64
vpsrld ymm1, ymm2, 255
vpslld ymm1, ymm2, 0
vpslld ymm1, ymm2, 5
vpslld ymm1, ymm2, 8
vpslld ymm1, ymm2, 31
vpslld ymm1, ymm2, 32
vpslld ymm1, ymm2, 64
vpslld ymm1, ymm2, 255
vpsrlq ymm1, ymm2, 0
vpsrlq ymm1, ymm2, 5
vpsrlq ymm1, ymm2, 8
vpsrlq ymm1, ymm2, 31
vpsrlq ymm1, ymm2, 32
vpsrlq ymm1, ymm2, 64
vpsrlq ymm1, ymm2, 255
vpsllq ymm1, ymm2, 0
vpsllq ymm1, ymm2, 5
vpsllq ymm1, ymm2, 8
vpsllq ymm1, ymm2, 31
vpsllq ymm1, ymm2, 32
vpsllq ymm1, ymm2, 64
vpsllq ymm1, ymm2, 255
vpsrlw ymm1, ymm2, 0
vpsrlw ymm1, ymm2, 5
vpsrlw ymm1, ymm2, 8
vpsrlw ymm1, ymm2, 31
vpsrlw ymm1, ymm2, 32
vpsrlw ymm1, ymm2, 64
vpsrlw ymm1, ymm2, 255
vpsllw ymm1, ymm2, 0
vpsllw ymm1, ymm2, 5
vpsllw ymm1, ymm2, 8
vpsllw ymm1, ymm2, 31
vpsllw ymm1, ymm2, 32
vpsllw ymm1, ymm2, 64
vpsllw ymm1, ymm2, 255
vpsrldq ymm1, ymm2, 0
vpsrldq ymm1, ymm2, 3
vpsrldq ymm1, ymm2, 15
vpsrldq ymm1, ymm2, 16
vpsrldq ymm1, ymm2, 200
vpslldq ymm1, ymm2, 0
vpslldq ymm1, ymm2, 3
vpslldq ymm1, ymm2, 15
vpslldq ymm1, ymm2, 16
vpslldq ymm1, ymm2, 200
vpalignr ymm1, ymm2, ymm3, 0
vpalignr ymm1, ymm2, ymm3, 5
vpalignr ymm1, ymm2, ymm3, 16
vpalignr ymm1, ymm2, ymm3, 21
vpalignr ymm1, ymm2, ymm3, 32
vpalignr ymm1, ymm2, ymm3, 99
valignd ymm1, ymm2, ymm3, 0
valignd ymm1, ymm2, ymm3, 1
valignd ymm1, ymm2, ymm3, 3
valignd ymm1, ymm2, ymm3, 9
valignq ymm1, ymm2, ymm3, 0
valignq ymm1, ymm2, ymm3, 1
valignq ymm1, ymm2, ymm3, 3
valignq ymm1, ymm2, ymm3, 9
vpshufd ymm1, ymm2, 27
vpshufd ymm1, ymm2, 198
vpshuflw ymm1, ymm2, 27
vpshuflw ymm1, ymm2, 198
vpshufhw ymm1, ymm2, 27
vpshufhw ymm1, ymm2, 198
vmovddup ymm1, ymm2
vmovddup ymm1, [rdi]
vshufps ymm1, ymm2, ymm3, 27
vshufps ymm1, ymm2, ymm3, 198
vshufpd ymm1, ymm2, ymm3, 27
vshufpd ymm1, ymm2, ymm3, 198
vpshufb ymm1, ymm2, ymm3
vpshufb ymm1, ymm2, [rdi]
vpunpckldq ymm1, ymm2, ymm3
vpunpckhdq ymm1, ymm2, ymm3
vpunpcklqdq ymm1, ymm2, ymm3
vpunpckhqdq ymm1, ymm2, ymm3
vunpcklps ymm1, ymm2, ymm3
vunpckhps ymm1, ymm2, ymm3
vunpcklpd ymm1, ymm2, ymm3
vunpckhpd ymm1, ymm2, ymm3
vpaddd ymm1, ymm2, ymm3
vpaddq ymm1, ymm2, ymm3
vpsubd ymm1, ymm2, ymm3
vpsubq ymm1, ymm2, ymm3
vpandd ymm1, ymm2, ymm3
vpandq ymm1, ymm2, ymm3
vpandnd ymm1, ymm2, ymm3
vpandnq ymm1, ymm2, ymm3
vpord ymm1, ymm2, ymm3
vporq ymm1, ymm2, ymm3
vpxord ymm1, ymm2, ymm3
vpxorq ymm1, ymm2, ymm3
vpaddd ymm1, ymm2, [rdi]{1to8}
vpandnq ymm1, ymm2, [rdi]{1to4}
vpsubd ymm1, ymm1, ymm2
vpxorq ymm1, ymm2, ymm2
vmovdqu8 ymm1{k1}{z}, [rdi]
vmovdqu8 [rdi]{k1}, ymm2
vmovdqu8 ymm1, [rdi]
vmovdqu32 ymm1{k1}{z}, [rdi]
vmovdqu32 [rdi]{k1}, ymm2
vmovdqu32 ymm1, [rdi]
vmovdqu64 ymm1{k1}{z}, [rdi]
vmovdqu64 [rdi]{k1}, ymm2
vmovdqu64 ymm1, [rdi]
vmovdqu16 ymm1{k1}, ymm2
vmovdqu16 ymm1{k1}{z}, ymm2
vmovdqa32 ymm1{k1}, ymm2
vmovdqa32 ymm1{k1}{z}, ymm2
vmovdqa64 ymm1{k1}, ymm2
vmovdqa64 ymm1{k1}{z}, ymm2
vpaddd ymm1{k1}, ymm2, ymm3
vpaddd ymm1{k1}{z}, ymm2, ymm3
vpaddq ymm1{k1}, ymm2, ymm3
vpaddq ymm1{k1}{z}, ymm2, ymm3
vpxord ymm1{k1}, ymm2, ymm3
vpxord ymm1{k1}{z}, ymm2, ymm3
vpxorq ymm1{k1}, ymm2, ymm3
vpxorq ymm1{k1}{z}, ymm2, ymm3
vpbroadcastd ymm1{k1}, ecx
vpbroadcastq ymm1{k1}{z}, rcx
vpbroadcastd ymm1, xmm2
vpbroadcastq ymm1, [rdi]
vpbroadcastd ymm1{k1}, xmm2
vpermq ymm1, ymm2, 27
vpermq ymm1, ymm2, 198
vpermpd ymm1, ymm2, 0x4e
vshufi32x4 ymm1, ymm2, ymm3, 1
vshufi32x4 ymm1, ymm2, ymm3, 2
vshufi32x4 ymm1, ymm2, ymm3, 228
vshufi32x4 ymm1, ymm2, ymm3, 147
vshufi64x2 ymm1, ymm2, ymm3, 1
vshufi64x2 ymm1, ymm2, ymm3, 2
vshufi64x2 ymm1, ymm2, ymm3, 228
vshufi64x2 ymm1, ymm2, ymm3, 147
vshuff32x4 ymm1, ymm2, ymm3, 1
vshuff32x4 ymm1, ymm2, ymm3, 2
vshuff32x4 ymm1, ymm2, ymm3, 228
vshuff32x4 ymm1, ymm2, ymm3, 147
vshuff64x2 ymm1, ymm2, ymm3, 1
vshuff64x2 ymm1, ymm2, ymm3, 2
vshuff64x2 ymm1, ymm2, ymm3, 228
vshuff64x2 ymm1, ymm2, ymm3, 147
vinserti32x4 ymm1, ymm2, xmm3, 0
vinserti32x4 ymm1, ymm2, xmm3, 1
vinserti32x4 ymm1, ymm2, xmm3, 3
vinserti32x4 ymm1, ymm2, xmm3, 6
vextracti32x4 xmm1, ymm2, 0
vextracti32x4 xmm1, ymm2, 1
vextracti32x4 xmm1, ymm2, 3
vextracti32x4 xmm1, ymm2, 6
vbroadcasti32x4 ymm1, [rdi]
vbroadcastsd ymm1, [rdi]
vbroadcastss ymm1, xmm2
vpmovqd xmm1, ymm2
vpcmpeqq k1, zmm2, zmm3
vpcmpuq k2, zmm2, zmm3, 0
vpcmpuq k2, zmm2, zmm3, 1
vpcmpuq k2, zmm2, zmm3, 2
vpcmpuq k2, zmm2, zmm3, 4
vpcmpuq k2, zmm2, zmm3, 5
vpcmpuq k2, zmm2, zmm3, 6
vpcmpuq k3, zmm2, [rdi], 1
vpminuq zmm1, zmm2, zmm3
vpminuq zmm1, zmm2, [rdi]
vpminuq zmm1, zmm2, [rdi]{1to8}
vpmaxuq zmm1, zmm2, zmm3
vpmaxuq zmm1, zmm2, [rdi]
vpmaxuq zmm1, zmm2, [rdi]{1to8}
vpermt2q zmm1, zmm2, zmm3
vpermt2q zmm1, zmm2, [rdi]
vpermi2q zmm1, zmm2, zmm3
vpermi2q zmm1, zmm2, [rdi]
vpermt2d zmm1, zmm2, zmm3
vpermt2d zmm1, zmm2, [rdi]
vpermi2d zmm1, zmm2, zmm3
vpermi2d zmm1, zmm2, [rdi]
vpermt2q zmm1, zmm2, [rdi]{1to8}
vpternlogd zmm1, zmm2, zmm3, 0
vpternlogq zmm1, zmm2, [rdi]{1to8}, 0
vpternlogd zmm1, zmm2, zmm3, 27
vpternlogq zmm1, zmm2, [rdi]{1to8}, 27
vpternlogd zmm1, zmm2, zmm3, 150
vpternlogq zmm1, zmm2, [rdi]{1to8}, 150
vpternlogd zmm1, zmm2, zmm3, 202
vpternlogq zmm1, zmm2, [rdi]{1to8}, 202
vpternlogd zmm1, zmm2, zmm3, 232
vpternlogq zmm1, zmm2, [rdi]{1to8}, 232
vpternlogd zmm1, zmm2, zmm3, 255
vpternlogq zmm1, zmm2, [rdi]{1to8}, 255
vpternlogd zmm1, zmm2, zmm3, 45
vpternlogq zmm1, zmm2, [rdi]{1to8}, 45
vprord zmm1, zmm2, 0
vprord zmm1, zmm2, 7
vprord zmm1, zmm2, 32
vprord zmm1, zmm2, 45
vprord zmm1, zmm2, 77
vprorq zmm1, zmm2, 0
vprorq zmm1, zmm2, 7
vprorq zmm1, zmm2, 32
vprorq zmm1, zmm2, 45
vprorq zmm1, zmm2, 77
vprold zmm1, zmm2, 0
vprold zmm1, zmm2, 7
vprold zmm1, zmm2, 32
vprold zmm1, zmm2, 45
vprold zmm1, zmm2, 77
vprolq zmm1, zmm2, 0
vprolq zmm1, zmm2, 7
vprolq zmm1, zmm2, 32
vprolq zmm1, zmm2, 45
vprolq zmm1, zmm2, 77
vpsrld zmm1, zmm2, 0
vpsrld zmm1, zmm2, 5
vpsrld zmm1, zmm2, 8
vpsrld zmm1, zmm2, 31
vpsrld zmm1, zmm2, 32
vpsrld zmm1, zmm2, 64
vpsrld zmm1, zmm2, 255
vpslld zmm1, zmm2, 0
vpslld zmm1, zmm2, 5
vpslld zmm1, zmm2, 8
vpslld zmm1, zmm2, 31
vpslld zmm1, zmm2, 32
vpslld zmm1, zmm2, 64
vpslld zmm1, zmm2, 255
vpsrlq zmm1, zmm2, 0
vpsrlq zmm1, zmm2, 5
vpsrlq zmm1, zmm2, 8
vpsrlq zmm1, zmm2, 31
vpsrlq zmm1, zmm2, 32
vpsrlq zmm1, zmm2, 64
vpsrlq zmm1, zmm2, 255
vpsllq zmm1, zmm2, 0
vpsllq zmm1, zmm2, 5
vpsllq zmm1, zmm2, 8
vpsllq zmm1, zmm2, 31
vpsllq zmm1, zmm2, 32
vpsllq zmm1, zmm2, 64
vpsllq zmm1, zmm2, 255
vpsrlw zmm1, zmm2, 0
vpsrlw zmm1, zmm2, 5
vpsrlw zmm1, zmm2, 8
vpsrlw zmm1, zmm2, 31
vpsrlw zmm1, zmm2, 32
vpsrlw zmm1, zmm2, 64
vpsrlw zmm1, zmm2, 255
vpsllw zmm1, zmm2, 0
vpsllw zmm1, zmm2, 5
vpsllw zmm1, zmm2, 8
vpsllw zmm1, zmm2, 31
vpsllw zmm1, zmm2, 32
vpsllw zmm1, zmm2, 64
vpsllw zmm1, zmm2, 255
vpsrldq zmm1, zmm2, 0
vpsrldq zmm1, zmm2, 3
vpsrldq zmm1, zmm2, 15
vpsrldq zmm1, zmm2, 16
vpsrldq zmm1, zmm2, 200
vpslldq zmm1, zmm2, 0
vpslldq zmm1, zmm2, 3
vpslldq zmm1, zmm2, 15
vpslldq zmm1, zmm2, 16
vpslldq zmm1, zmm2, 200
vpalignr zmm1, zmm2, zmm3, 0
vpalignr zmm1, zmm2, zmm3, 5
vpalignr zmm1, zmm2, zmm3, 16
vpalignr zmm1, zmm2, zmm3, 21
vpalignr zmm1, zmm2, zmm3, 32
vpalignr zmm1, zmm2, zmm3, 99
valignd zmm1, zmm2, zmm3, 0
valignd zmm1, zmm2, zmm3, 1
valignd zmm1, zmm2, zmm3, 3
valignd zmm1, zmm2, zmm3, 9
valignq zmm1, zmm2, zmm3, 0
valignq zmm1, zmm2, zmm3, 1
valignq zmm1, zmm2, zmm3, 3
valignq zmm1, zmm2, zmm3, 9
vpshufd zmm1, zmm2, 27
vpshufd zmm1, zmm2, 198
vpshuflw zmm1, zmm2, 27
vpshuflw zmm1, zmm2, 198
vpshufhw zmm1, zmm2, 27
vpshufhw zmm1, zmm2, 198
vmovddup zmm1, zmm2
vmovddup zmm1, [rdi]
vshufps zmm1, zmm2, zmm3, 27
vshufps zmm1, zmm2, zmm3, 198
vshufpd zmm1, zmm2, zmm3, 27
vshufpd zmm1, zmm2, zmm3, 198
vpshufb zmm1, zmm2, zmm3
vpshufb zmm1, zmm2, [rdi]
vpunpckldq zmm1, zmm2, zmm3
vpunpckhdq zmm1, zmm2, zmm3
vpunpcklqdq zmm1, zmm2, zmm3
vpunpckhqdq zmm1, zmm2, zmm3
vunpcklps zmm1, zmm2, zmm3
vunpckhps zmm1, zmm2, zmm3
vunpcklpd zmm1, zmm2, zmm3
vunpckhpd zmm1, zmm2, zmm3
vpaddd zmm1, zmm2, zmm3
vpaddq zmm1, zmm2, zmm3
vpsubd zmm1, zmm2, zmm3
vpsubq zmm1, zmm2, zmm3
vpandd zmm1, zmm2, zmm3
vpandq zmm1, zmm2, zmm3
vpandnd zmm1, zmm2, zmm3
vpandnq zmm1, zmm2, zmm3
vpord zmm1, zmm2, zmm3
vporq zmm1, zmm2, zmm3
vpxord zmm1, zmm2, zmm3
vpxorq zmm1, zmm2, zmm3
vpaddd zmm1, zmm2, [rdi]{1to16}
vpandnq zmm1, zmm2, [rdi]{1to8}
vpsubd zmm1, zmm1, zmm2
vpxorq zmm1, zmm2, zmm2
vmovdqu8 zmm1{k1}{z}, [rdi]
vmovdqu8 [rdi]{k1}, zmm2
vmovdqu8 zmm1, [rdi]
vmovdqu32 zmm1{k1}{z}, [rdi]
vmovdqu32 [rdi]{k1}, zmm2
vmovdqu32 zmm1, [rdi]
vmovdqu64 zmm1{k1}{z}, [rdi]
vmovdqu64 [rdi]{k1}, zmm2
vmovdqu64 zmm1, [rdi]
vmovdqu16 zmm1{k1}, zmm2
vmovdqu16 zmm1{k1}{z}, zmm2
vmovdqa32 zmm1{k1}, zmm2
vmovdqa32 zmm1{k1}{z}, zmm2
vmovdqa64 zmm1{k1}, zmm2
vmovdqa64 zmm1{k1}{z}, zmm2
vpaddd zmm1{k1}, zmm2, zmm3
vpaddd zmm1{k1}{z}, zmm2, zmm3
vpaddq zmm1{k1}, zmm2, zmm3
vpaddq zmm1{k1}{z}, zmm2, zmm3
vpxord zmm1{k1}, zmm2, zmm3
vpxord zmm1{k1}{z}, zmm2, zmm3
vpxorq zmm1{k1}, zmm2, zmm3
vpxorq zmm1{k1}{z}, zmm2, zmm3
vpbroadcastd zmm1{k1}, ecx
vpbroadcastq zmm1{k1}{z}, rcx
vpbroadcastd zmm1, xmm2
vpbroadcastq zmm1, [rdi]
vpbroadcastd zmm1{k1}, xmm2
vpermq zmm1, zmm2, 27
vpermq zmm1, zmm2, 198
vpermpd zmm1, zmm2, 0x4e
vshufi32x4 zmm1, zmm2, zmm3, 1
vshufi32x4 zmm1, zmm2, zmm3, 2
vshufi32x4 zmm1, zmm2, zmm3, 228
vshufi32x4 zmm1, zmm2, zmm3, 147
vshufi64x2 zmm1, zmm2, zmm3, 1
vshufi64x2 zmm1, zmm2, zmm3, 2
vshufi64x2 zmm1, zmm2, zmm3, 228
vshufi64x2 zmm1, zmm2, zmm3, 147
vshuff32x4 zmm1, zmm2, zmm3, 1
vshuff32x4 zmm1, zmm2, zmm3, 2
vshuff32x4 zmm1, zmm2, zmm3, 228
vshuff32x4 zmm1, zmm2, zmm3, 147
vshuff64x2 zmm1, zmm2, zmm3, 1
vshuff64x2 zmm1, zmm2, zmm3, 2
vshuff64x2 zmm1, zmm2, zmm3, 228
vshuff64x2 zmm1, zmm2, zmm3, 147
vinserti32x4 zmm1, zmm2, xmm3, 0
vinserti32x4 zmm1, zmm2, xmm3, 1
vinserti32x4 zmm1, zmm2, xmm3, 3
vinserti32x4 zmm1, zmm2, xmm3, 6
vextracti32x4 xmm1, zmm2, 0
vextracti32x4 xmm1, zmm2, 1
vextracti32x4 xmm1, zmm2, 3
vextracti32x4 xmm1, zmm2, 6
vbroadcasti32x4 zmm1, [rdi]
vbroadcastsd zmm1, [rdi]
vbroadcastss zmm1, xmm2
vpmovqd ymm1, zmm2
vpmovqw xmm1, zmm2
vpmovqd [rdi]{k1}, zmm2
vpgatherdq zmm1{k1}, [rdi+ymm2*8]
vinserti64x4 zmm1, zmm2, ymm3, 0
vinserti64x4 zmm1, zmm2, ymm3, 1
vextracti64x4 ymm1, zmm2, 0
vextracti64x4 ymm1, zmm2, 1
vperm2i128 ymm1, ymm2, ymm3, 32
vperm2i128 ymm1, ymm2, ymm3, 49
vperm2i128 ymm1, ymm2, ymm3, 19
vperm2i128 ymm1, ymm2, ymm3, 130
vperm2i128 ymm1, ymm2, ymm3, 15
vperm2f128 ymm1, ymm2, ymm3, 32
vperm2f128 ymm1, ymm2, ymm3, 49
vperm2f128 ymm1, ymm2, ymm3, 19
vperm2f128 ymm1, ymm2, ymm3, 130
vperm2f128 ymm1, ymm2, ymm3, 15
vextracti128 xmm1, ymm2, 0
vextracti128 xmm1, ymm2, 1
vextractf128 xmm1, ymm2, 0
vextractf128 xmm1, ymm2, 1
vextracti128 [rdi], ymm2, 1
vinserti128 ymm1, ymm2, xmm3, 1
vinsertf128 ymm1, ymm2, [rdi], 0
vpblendd xmm1, xmm2, xmm3, 10
vpblendd xmm1, xmm2, xmm3, 197
vblendps xmm1, xmm2, xmm3, 10
vblendps xmm1, xmm2, xmm3, 197
vpblendw xmm1, xmm2, xmm3, 10
vpblendw xmm1, xmm2, xmm3, 197
vpblendd ymm1, ymm2, ymm3, 10
vpblendd ymm1, ymm2, ymm3, 197
vblendps ymm1, ymm2, ymm3, 10
vblendps ymm1, ymm2, ymm3, 197
vpblendw ymm1, ymm2, ymm3, 10
vpblendw ymm1, ymm2, ymm3, 197
vpblendvb xmm1, xmm2, xmm3, xmm4
vpblendvb ymm1, ymm2, ymm3, ymm4
vmovlhps xmm1, xmm2, xmm3
vmovhlps xmm1, xmm2, xmm3
kmovw k1, ecx
kmovd k1, ecx
kmovq k1, rcx
kmovw ecx, k1
kmovd ecx, k1
kmovq rcx, k1
kmovw k1, k2
kmovq k1, k2
kmovw k1, [rdi]
kmovq [rdi], k1
kmovd [rdi], k2
kxnorw k1, k2, k2
vpinsrd xmm1, xmm2, ecx, 3
vpinsrq xmm1, xmm2, rcx, 1
vinsertps xmm1, xmm2, xmm3, 0x4c
vinsertps xmm1, xmm2, dword ptr [rdi], 0xb1
vpextrd ecx, xmm2, 2
vpextrq rcx, xmm2, 1
vpextrd [rdi], xmm2, 1
vextractps ecx, xmm2, 3
vmovd ecx, xmm2
vmovq rcx, xmm2
vmovd xmm1, ecx
vmovq xmm1, xmm2
vmovhps [rdi], xmm2
vmovlps [rdi], xmm2
vmovss xmm1, [rdi]
vmovsd xmm1, [rdi]
vmovdqa ymm1, [rdi]
vmovaps [rdi], xmm2
vzeroupper
pinsrd xmm1, ecx, 2
insertps xmm1, xmm2, 0x4c
insertps xmm1, xmm2, 0x90
insertps xmm1, xmm2, 0xe9
insertps xmm1, dword ptr [rdi], 0xd5
pinsrq xmm1, [rdi], 0
pextrq rcx, xmm2, 0
pextrd [rdi], xmm2, 3
pblendw xmm1, xmm2, 0x6a
blendps xmm1, xmm2, 5
shufps xmm1, xmm2, 0x1b
shufpd xmm1, xmm2, 1
pshufhw xmm1, xmm2, 0x1b
pshuflw xmm1, xmm2, 0x1b
palignr xmm1, xmm2, 21
psrldq xmm1, 16
pslldq xmm1, 3
psrlw xmm1, 5
psllw xmm1, 16
movddup xmm1, xmm2
movddup xmm1, [rdi]
movhps [rdi], xmm2
movlps [rdi], xmm2
lddqu xmm1, [rdi]
movq xmm1, xmm2
andnps xmm1, xmm2
pandn xmm1, xmm2
unpcklpd xmm1, xmm2
punpckhqdq xmm1, xmm2
ret
