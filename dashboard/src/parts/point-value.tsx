import { useTexts } from '../texts/texts.tsx'

/** What a point is worth, with all its decimals: amounts of money have two. */
export function PointValue({ sar }: { sar: number }) {
  const { t } = useTexts()
  return t.rich('common.sar_a_point', { value: <bdi dir="ltr">{sar}</bdi> })
}
