import { type Phone, parsePhone } from '../../../domain/phone.ts'
import type { Random } from '../../../lib/random.ts'

/** A customer of one of the two programs. */
export interface Person {
  readonly program: 0 | 1
  readonly phone: Phone
  readonly name: string
}

/** A customer as the year goes on. */
export interface Customer {
  readonly who: Person
  orders: number
  /** When the customer becomes active; infinite for one who never does. */
  joins_ms: number
}

const first = [
  ...['نورة', 'سارة', 'فاطمة', 'ريم', 'هيا', 'لطيفة', 'منيرة', 'العنود', 'شهد', 'جود', 'دانة', 'أمل', 'هند', 'مها'],
  ...['محمد', 'عبدالله', 'فهد', 'سلطان', 'خالد', 'سعود', 'تركي', 'عبدالعزيز', 'ماجد', 'بندر', 'ياسر', 'راكان', 'نايف'],
  ...['سلمان', 'عمر', 'أحمد'],
] as const

const family = [
  ...['العتيبي', 'القحطاني', 'الحربي', 'الدوسري', 'الشمري', 'المطيري', 'الغامدي', 'الزهراني', 'العنزي', 'الشهري'],
  ...['السبيعي', 'المالكي', 'البلوي', 'الجهني', 'الأحمدي', 'الرشيدي', 'العمري', 'الخالدي', 'الفيفي', 'السهلي'],
] as const

const numbers = 900_000
const first_number = 500_100_000
/** Coprime to how many numbers there are, so that neighbours look nothing alike. */
const stride = 548_621

/** The customer of this place, with a number that no other one of the program has. */
export function personAt(program: 0 | 1, place: number, random: Random): Person {
  const phone = parsePhone(String(first_number + ((place * stride) % numbers)))
  if (phone === null) throw new Error('a number of the year is none')
  return { program, phone, name: `${random.pick(first)} ${random.pick(family)}` }
}
