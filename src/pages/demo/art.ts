import type { DemoProduct } from '../../features/demo/products.ts'
import { Html } from '../design/html.ts'

/** Drawings of the products, on a ground of their own in both colour schemes. */

const sun = '<circle cx="160" cy="120" r="86" fill="#fff" opacity=".5"/>'

const drawings: Readonly<Record<DemoProduct['id'], string>> = {
  beans: `<rect width="320" height="240" fill="#e9d8c3"/>${sun}
<path d="M108 74h104l10 122a12 12 0 0 1-12 12H110a12 12 0 0 1-12-12z" fill="#5b3219"/>
<path d="M108 74l8-26h88l8 26z" fill="#7a4726"/><path d="M116 48h88v8h-88z" fill="#432310"/>
<circle cx="160" cy="142" r="34" fill="#f3e3cf"/>
<g transform="rotate(32 160 142)"><ellipse cx="160" cy="142" rx="15" ry="21" fill="#7a4726"/><path d="M160 121c-8 9 8 13 1 21s-6 13-1 21" fill="none" stroke="#f3e3cf" stroke-width="3.5" stroke-linecap="round"/></g>
<g fill="#432310"><ellipse cx="250" cy="204" rx="13" ry="9" transform="rotate(-18 250 204)"/><ellipse cx="274" cy="192" rx="12" ry="8" transform="rotate(25 274 192)"/><ellipse cx="66" cy="204" rx="12" ry="8" transform="rotate(14 66 204)"/></g>`,
  cups: `<rect width="320" height="240" fill="#d8e4ee"/>${sun}
<g><path d="M62 118h76l-9 56a20 20 0 0 1-20 17H91a20 20 0 0 1-20-17z" fill="#fff"/><ellipse cx="100" cy="118" rx="38" ry="11" fill="#f1f5f9"/><ellipse cx="100" cy="119" rx="30" ry="8" fill="#7a4a24"/><path d="M70 146h60" stroke="#1d5a93" stroke-width="6" stroke-dasharray="9 6"/></g>
<g><path d="M182 118h76l-9 56a20 20 0 0 1-20 17h-18a20 20 0 0 1-20-17z" fill="#fff"/><ellipse cx="220" cy="118" rx="38" ry="11" fill="#f1f5f9"/><ellipse cx="220" cy="119" rx="30" ry="8" fill="#7a4a24"/><path d="M190 146h60" stroke="#1d5a93" stroke-width="6" stroke-dasharray="9 6"/></g>
<g fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round"><path d="M92 94c-8-10 8-16 0-28"/><path d="M108 94c-8-10 8-16 0-28"/><path d="M212 94c-8-10 8-16 0-28"/><path d="M228 94c-8-10 8-16 0-28"/></g>`,
  dates: `<rect width="320" height="240" fill="#e6e2cf"/>${sun}
<path d="M72 126h176l-16 68a16 16 0 0 1-16 12H104a16 16 0 0 1-16-12z" fill="#2f6b4f"/><path d="M72 126h176l-4 16H76z" fill="#25553f"/>
<g fill="#4a2413"><ellipse cx="108" cy="116" rx="21" ry="14" transform="rotate(-14 108 116)"/><ellipse cx="148" cy="110" rx="21" ry="14" transform="rotate(9 148 110)"/><ellipse cx="190" cy="112" rx="21" ry="14" transform="rotate(-8 190 112)"/><ellipse cx="222" cy="118" rx="18" ry="12" transform="rotate(18 222 118)"/><ellipse cx="128" cy="92" rx="20" ry="13" transform="rotate(6 128 92)"/><ellipse cx="170" cy="88" rx="20" ry="13" transform="rotate(-12 170 88)"/><ellipse cx="204" cy="94" rx="18" ry="12" transform="rotate(12 204 94)"/></g>
<g fill="none" stroke="#8a5233" stroke-width="3" stroke-linecap="round"><path d="M98 112c8-4 14-4 20 0"/><path d="M138 106c8-4 14-3 20 1"/><path d="M180 108c8-4 14-4 20 0"/><path d="M118 88c8-4 14-3 20 1"/><path d="M160 85c8-4 14-4 20 0"/></g>
<path d="M160 158l15 14-17 17-15-14z" fill="#f2e3b1"/>`,
  dallah: `<rect width="320" height="240" fill="#efdcb4"/>${sun}
<path d="M196 108c34-8 46-34 66-30-8 8-10 26-22 40-10 12-24 16-40 16z" fill="#b9852c"/>
<path transform="translate(7 0)" d="M118 104c-40-4-52 30-34 56 8 12 22 14 34 10l-4-14c-8 2-14 0-18-6-9-14-2-32 20-31z" fill="#8f6115"/>
<path d="M124 92h72l6 30c22 26 18 66-8 82h-68c-26-16-30-56-8-82z" fill="#d39d3d"/>
<path d="M124 92h72l3 14h-78z" fill="#a97720"/><path d="M130 92c2-18 14-26 30-26s28 8 30 26z" fill="#c08d31"/><path d="M160 66c-6-6-4-16 0-24 4 8 6 18 0 24z" fill="#8f6115"/>
<path d="M126 204h68l6 10h-80z" fill="#8f6115"/>
<path d="M160 130l20 18-22 23-20-18z" fill="#8f6115" opacity=".55"/>`,
}

/** The drawing of a product. Its name stands beside it. */
export function drawingOf(id: DemoProduct['id']): Html {
  return new Html(
    `<svg class="drawing" viewBox="0 0 320 240" aria-hidden="true" focusable="false">${drawings[id]}</svg>`,
  )
}
