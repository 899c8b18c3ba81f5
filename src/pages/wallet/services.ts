import type { Environment } from '../../config/config.ts'
import type { MeetCustomer, Onboard } from '../../features/onboarding/service.ts'
import type { OtpServices } from '../../features/otp/service.ts'
import type { ReadHistory, ReadProgram, ReadStatement, ReadWaiting, ReadWallet } from '../../features/wallet/service.ts'
import type { WalletSessions } from '../../features/wallet/session.ts'
import type { Clock } from '../../lib/clock.ts'

/** What the pages of the wallet ask. */
export interface WalletServices extends OtpServices {
  readonly environment: Environment
  /** The clock of business; codes and sessions go by the machine's. */
  readonly clock: Clock
  readonly walletSessions: WalletSessions
  readonly meetCustomer: MeetCustomer
  readonly onboard: Onboard
  readonly readProgram: ReadProgram
  readonly readWaiting: ReadWaiting
  readonly readWallet: ReadWallet
  readonly readHistory: ReadHistory
  readonly readStatement: ReadStatement
}
