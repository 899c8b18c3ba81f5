import { useLocation, useParams } from '@tanstack/react-router'
import { useOpenMerchant, useSession } from '../app/merchant.ts'
import { useOpenProgram } from '../app/program.ts'
import { type Group, merchantPages, operatorPages, programPages } from '../pages.ts'
import type { IconName } from '../parts/icon.tsx'
import { merchantPath, operatorPath, programPath } from '../parts/page-link.tsx'
import type { TextKey } from '../texts/catalogue.ts'

/** A page that navigation offers. */
export interface OfferedPage {
  /** The whole path. */
  readonly to: string
  readonly name: TextKey
  readonly short: TextKey
  readonly icon: IconName
  readonly group: Group
  /** The page above all others of its area, which their paths begin with. */
  readonly isFirst: boolean
}

/** What the frame is about: a merchant, a program, or for operators the whole service. */
export interface Area {
  readonly kind: 'merchant' | 'program' | 'operator'
  /** Undefined for the whole service. */
  readonly name: string | undefined
  /** In the order of navigation. */
  readonly pages: readonly OfferedPage[]
}

/** Undefined on pages that are about none of them, or about one that the reader may not see. */
export function useArea(): Area | undefined {
  const merchant = useOpenMerchant()
  const program = useOpenProgram()
  const isOperators = useIsOperatorArea()
  if (merchant !== undefined) {
    const pages = merchantPages.filter(({ may }) => merchant.may(may))
    return {
      kind: 'merchant',
      name: merchant.name,
      pages: offer(pages, (path) => merchantPath(String(merchant.merchantId), path)),
    }
  }
  if (program !== undefined) {
    const own = offer(programPages, (path) => programPath(String(program.programId), path))
    return { kind: 'program', name: program.name, pages: [...own, ...offer(operatorPages, operatorPath)] }
  }
  return isOperators ? { kind: 'operator', name: undefined, pages: offer(operatorPages, operatorPath) } : undefined
}

interface Row {
  readonly path: string
  readonly name: TextKey
  readonly short?: TextKey
  readonly icon: IconName
  readonly group?: Group
}

function offer(rows: readonly Row[], pathOf: (path: string) => string): OfferedPage[] {
  return rows.flatMap(({ path, name, short = name, icon, group }) =>
    group === undefined ? [] : [{ to: pathOf(path), name, short, icon, group, isFirst: path === '' }],
  )
}

function useIsOperatorArea(): boolean {
  const { is_operator } = useSession()
  const { programId, merchantId } = useParams({ strict: false })
  const { pathname } = useLocation()
  return is_operator && programId === undefined && merchantId === undefined && pathname.startsWith(operatorPath(''))
}
