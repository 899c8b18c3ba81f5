import { NuqtaElement } from './element.ts'
import type { Merchant } from './merchant.ts'
import { toHalalas, toPoints } from './rules.ts'
import { textOf } from './texts.ts'

/** `<nuqta-earn>`: the line that says what an amount earns. */
export class NuqtaEarn extends NuqtaElement {
  static readonly toHalalas = toHalalas
  static readonly toPoints = toPoints
  static readonly textOf = textOf
  private readonly line = document.createElement('span')

  protected override show({ earns, points_per_sar }: Merchant): boolean {
    const { line } = this
    const halalas = toHalalas(this.setting('amount') ?? '')
    const points = halalas === null || !earns ? 0 : toPoints(halalas, Number(points_per_sar))
    if (!(points > 0)) return false
    line.part.add('earn')
    line.lang = this.locale
    line.textContent = textOf(points, this.locale)
    this.box.replaceChildren(line)
    return true
  }
}
