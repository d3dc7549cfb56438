/* How the page looks, and what it can do where scripts run. Colours are of Okabe and Ito's set, which the
 * colour-blind tell apart. */
#include "report/page_part.h"

const char *const page_style[] = {
    ":root{color-scheme:light "
    "dark;--page:#fff;--ink:#1a1c1f;--soft:#5c6370;--rule:#d9dce1;--panel:#f5f6f8;\n",
    "--s0:#0072b2;--s1:#d55e00;--s2:#1a1c1f;--pale:#9cc9e4;--limit:#b3004b}\n",
    "@media(prefers-color-scheme:dark){:root{--page:#15171a;--ink:#e6e8eb;--soft:#9aa2ad;--rule:#363b42;--"
    "panel:#1e2125;\n",
    "--s0:#56b4e9;--s1:#e69f00;--s2:#e6e8eb;--pale:#2b5f7d;--limit:#ff7aa8}}\n",
    "*{box-sizing:border-box}\n",
    "body{margin:0 auto;padding:1rem clamp(.75rem,3vw,2rem) "
    "3rem;max-width:76rem;background:var(--page);color:var(--ink);\n",
    "font:15px/1.45 system-ui,sans-serif;font-variant-numeric:tabular-nums}\n",
    "h1{font-size:1.6rem;margin:.5rem 0 0}h2{font-size:1.25rem;margin:2.5rem 0 .25rem}\n",
    "h3{font-size:1.1rem;margin:2.5rem 0 .25rem;overflow-wrap:anywhere}h4{font-size:.95rem;margin:1rem 0 "
    "0}\n",
    "p{margin:.25rem 0 .75rem;max-width:48rem}.note,figcaption p{color:var(--soft);font-size:.87rem}\n",
    ".warn{border-left:4px solid var(--limit);padding:.4rem .8rem;background:var(--panel)}\n",
    ".totals{display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.6rem;margin:1rem "
    "0}\n",
    ".totals div{background:var(--panel);border-radius:.4rem;padding:.5rem .8rem}\n",
    ".totals dt{color:var(--soft);font-size:.82rem}.totals dd{margin:0;font-size:1.3rem}\n",
    ".totals dd small{display:block;font-size:.8rem;color:var(--soft)}\n",
    ".scroll{overflow:auto;max-height:34rem;border:1px solid var(--rule);border-radius:.4rem}\n",
    "table{border-collapse:collapse;width:100%;font-size:.87rem}\n",
    "th,td{padding:.25rem .5rem;text-align:right;white-space:nowrap;border-bottom:1px solid "
    "var(--rule);vertical-align:top}\n",
    "thead "
    "th{position:sticky;top:0;white-space:normal;background:var(--panel);vertical-align:bottom;font-weight:"
    "600;z-index:1}\n",
    "tbody th,tfoot th{font-weight:400}thead th:first-child,tbody th,tfoot th{text-align:left}\n",
    "tbody th,tfoot th{white-space:normal}tbody "
    "th{min-width:clamp(8rem,20vw,15rem);white-space:normal;overflow-wrap:anywhere}tfoot td,tfoot "
    "th{border:0;color:var(--soft)}\n",
    "th small{display:block;font-weight:400;color:var(--soft)}tr.over td,tr.over "
    "th,td.over{color:var(--limit);font-weight:600}\n",
    "th button{all:unset;cursor:pointer}th button:focus-visible{outline:2px solid var(--s0)}th[aria-sort] "
    "button{text-decoration:underline}\n",
    "td.bar{min-width:8rem;padding-bottom:.6rem;background:linear-gradient(var(--b) 0 0) .5rem calc(100% - "
    ".2rem)/calc((100% - 1rem)*var(--v)) .3rem no-repeat;--b:var(--s0)}\n",
    "td.size{min-width:12rem}td "
    "small{display:inline-block;min-width:4.5rem;color:var(--soft);font-size:.8rem}td.error "
    "small{min-width:6rem;margin-left:.5rem}td.error{background:linear-gradient(var(--s0) 0 0) .5rem "
    "calc(100% - .2rem)/calc((100% - 1rem)*var(--m)) .3rem no-repeat,\n",
    "linear-gradient(var(--pale) 0 0) .5rem calc(100% - .2rem)/calc((100% - 1rem)*var(--v)) .3rem "
    "no-repeat,\n",
    "linear-gradient(var(--limit) 0 0) calc(100% - .5rem) 100%/2px .7rem no-repeat}\n",
    "figure{margin:1.5rem 0 2rem}figcaption p{margin:0 0 .5rem}\n",
    ".axis{margin:0;font-size:.82rem;color:var(--soft)}.axis.x{text-align:center;max-width:none}\n",
    ".plot{position:relative;height:15rem;margin:.6rem 1.6rem 1.7rem 3.9rem}\n",
    ".plot svg{position:absolute;width:100%;height:100%;overflow:visible}\n",
    ".plot path{fill:none;vector-effect:non-scaling-stroke}.grid{stroke:var(--rule);stroke-width:1px}\n",
    ".line{stroke-width:1.5px}.dots{stroke-width:5px;stroke-linecap:round}\n",
    ".limit{stroke:var(--limit);stroke-width:1.5px;stroke-dasharray:6 4}\n",
    ".s0{stroke:var(--s0)}.s1{stroke:var(--s1)}.s2{stroke:var(--s2)}.line.s1{stroke-dasharray:7 "
    "2}.line.s2{stroke-dasharray:2 2}\n",
    ".cloud path{stroke:var(--s0);stroke-width:8px;stroke-linecap:round;stroke-opacity:.6}.cloud "
    "path.over{stroke:var(--limit);stroke-opacity:1}\n",
    ".ticks span{position:absolute;font-size:.8rem;color:var(--soft);white-space:nowrap}\n",
    ".ticks .x{top:calc(100% + .3rem);transform:translateX(-50%)}.ticks .y{right:calc(100% + "
    ".5rem);transform:translateY(50%)}\n",
    ".legend{font-size:.85rem;margin:.25rem 0}.key{display:inline-block;width:1.6rem;border-top:3px "
    "solid;margin:0 .35rem 0 .9rem;vertical-align:middle}\n",
    ".key:first-child{margin-left:0}.k0{border-color:var(--s0)}.k1{border-color:var(--s1);border-top-style:"
    "dashed}\n",
    ".k2{border-color:var(--s2);border-top-style:dotted}\n",
    "@media print{.scroll{max-height:none;overflow:visible}}\n",
    NULL};

/* Tables are sorted where a heading is pressed: numbers falling, names rising, and the other way round the
 * next time. */
const char page_script[] =
    "document.querySelectorAll('table.sort thead th').forEach((th,column)=>{\n"
    "  const button=document.createElement('button');\n"
    "  button.append(...th.childNodes);th.append(button);\n"
    "  button.onclick=()=>{\n"
    "    const rising=th.getAttribute('aria-sort')?th.getAttribute('aria-sort')=='descending':column==0;\n"
    "    th.parentNode.querySelectorAll('th').forEach(h=>h.removeAttribute('aria-sort'));\n"
    "    th.setAttribute('aria-sort',rising?'ascending':'descending');\n"
    "    const body=th.closest('table').tBodies[0],value=row=>row.cells[column].dataset.v;\n"
    "    const "
    "compare=column?(a,b)=>value(a)-value(b):(a,b)=>a.cells[0].textContent.localeCompare(b.cells[0]."
    "textContent);\n"
    "    body.append(...[...body.rows].sort((a,b)=>rising?compare(a,b):compare(b,a)));\n"
    "  };\n"
    "});\n";
