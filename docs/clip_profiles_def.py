import sys
rows=[]
for line in open(sys.argv[1]):
    if line.startswith('PROFILE('):
        v=[int(x) for x in line[8:line.index(')')].split(',')]
        rows.append(v)
assert len(rows)==256
out=[]
for v in rows:
    b,w,o=v[0],v[1:17],v[17:33]
    lane1=[o[k] for k in range(8,16) if w[k]]
    second=min(lane1)//8 if lane1 else 0
    for k in range(16):
        if not w[k]: o[k]=0
        else:
            assert o[k]%8+w[k]<=16 and o[k]+w[k]<=8*b
            base=8*second if k>=8 else 0
            assert 0<=o[k]-base and o[k]+w[k]-base<=128
    o2=[(o[k] if w[k] or k<8 else 8*second) for k in range(16)]
    print('PROFILE(%d, %d, %s, %s)'%(b,second,', '.join(map(str,w)),', '.join(map(str,o2))))
first=[next(i for i,v in enumerate(rows) if v[0]>=min(n,30)) for n in range(32)]
print('FIRST(%s)'%', '.join(map(str,first)))
