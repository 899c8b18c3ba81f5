/** A line of a chart: one value for each point in time. */
export interface Curve {
  readonly name: string
  readonly values: readonly number[]
}

const width = 720
const height = 90
const left = 210
const gap = 24

/** Draws curves below each other as an SVG, each on a scale of its own that begins at 0. */
export function drawCurves(title: string, curves: readonly Curve[]): string {
  const rows = curves.map(({ name, values }, n) => {
    const top = 40 + n * (height + gap)
    const most = Math.max(...values, Number.MIN_VALUE)
    const points = values.map((value, at) => {
      const x = left + (at / Math.max(1, values.length - 1)) * (width - left - 10)
      return `${x.toFixed(1)},${(top + height - (value / most) * height).toFixed(1)}`
    })
    return [
      `<line x1="${left}" y1="${top + height}" x2="${width - 10}" y2="${top + height}" stroke="#999"/>`,
      `<text x="8" y="${top + 16}">${name}</text>`,
      `<text x="8" y="${top + 36}" fill="#555">most ${show(most)}, last ${show(values.at(-1) ?? Number.NaN)}</text>`,
      `<polyline points="${points.join(' ')}" fill="none" stroke="#0a6b57" stroke-width="1.5"/>`,
    ].join('\n')
  })
  const whole = 40 + curves.length * (height + gap)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${whole}" font-family="sans-serif" font-size="12">\n` +
    `<rect width="${width}" height="${whole}" fill="#fff"/>\n<text x="8" y="20" font-size="14">${title}</text>\n${rows.join('\n')}\n</svg>\n`
  )
}

const show = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
