import type { LocalText } from '../../domain/locale.ts'
import { asHalalas, type Halalas } from '../../domain/money.ts'

/** What the demo shop sells. */
export interface DemoProduct {
  readonly id: 'beans' | 'cups' | 'dates' | 'dallah'
  readonly name: LocalText
  readonly price_halalas: Halalas
}

export const demoProducts: readonly DemoProduct[] = [
  { id: 'beans', name: { en: 'Coffee beans, 1 kg', ar: 'حبوب قهوة، 1 كجم' }, price_halalas: asHalalas(9_600) },
  { id: 'cups', name: { en: 'Six coffee cups', ar: 'ستة فناجين قهوة' }, price_halalas: asHalalas(4_200) },
  { id: 'dates', name: { en: 'Ajwa dates, 1 kg', ar: 'تمر عجوة، 1 كجم' }, price_halalas: asHalalas(7_900) },
  { id: 'dallah', name: { en: 'Brass dallah', ar: 'دلة نحاسية' }, price_halalas: asHalalas(24_500) },
]
