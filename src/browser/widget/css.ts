// `!important` inside a shadow root wins over the shop's styles of the host.
export const css = `:host{all:initial!important;display:contents!important;color-scheme:inherit!important}
:host([hidden]),[hidden]{display:none!important}
div{display:inline-block;max-inline-size:100%;margin-block:2px;vertical-align:middle;
font:400 max(14px,1rem)/1.45 system-ui,"Segoe UI","Noto Sans Arabic",Tahoma,sans-serif}
span{display:inline-flex;align-items:center;gap:.5em;padding:.3em .8em;border:1px solid transparent;border-radius:1.2em;
font:600 max(14px,.875rem)/1.45 system-ui,"Segoe UI","Noto Sans Arabic",Tahoma,sans-serif;
color:#0a5a42;background:#e6f3ed;color:light-dark(#0a5a42,#a6e4cc);background:light-dark(#e6f3ed,#15352a)}
span::before{content:"";flex:none;inline-size:.5em;block-size:.5em;border-radius:50%;background:currentColor}
[data-brand]>span{color:var(--accent);background:#f3f5f2;background:light-dark(#f3f5f2,#222b27)}
.card{display:flex;box-sizing:border-box;align-items:center;position:relative;
inline-size:100%;max-inline-size:26rem;block-size:10rem;margin-block:.5rem}
iframe{display:block;inline-size:100%;block-size:100%;border:0;color-scheme:inherit}
.waits iframe{position:absolute;inset:0;visibility:hidden}
.waits>a{visibility:hidden}
a,button{display:inline-flex;align-items:center;justify-content:center;box-sizing:border-box;min-block-size:2.75rem;
padding:.25rem 1.25rem;border:1px solid transparent;border-radius:.5rem;font:inherit;font-weight:600;text-decoration:none;cursor:pointer;
color:#fff;background:#0b6b4f;color:light-dark(#fff,#06241a);background:light-dark(#0b6b4f,#5cc4a0)}
[data-brand] :is(a,button){color:var(--ink);background:var(--fill)}
button[aria-disabled]{cursor:progress;opacity:.75}
p{margin:.25rem 0 0;font-size:max(14px,.875rem)}
p:not(:empty){padding:.25em .75em;border-radius:.5rem;
color:#a8201a;background:#fcebea;color:light-dark(#a8201a,#ffb0a8);background:light-dark(#fcebea,#3d1a18)}
:focus-visible{outline:3px solid;outline-color:light-dark(#0b6b4f,#7cd6b5);outline-offset:2px}`
