import { downloadOverview, readOneChecklist, readOneOverview } from './features/activity/dashboard.ts'
import { downloadAudit, listAudit } from './features/audit/dashboard.ts'
import { listAllMerchants, readOneMerchant } from './features/merchants/dashboard.ts'
import { listRequests } from './features/requests/dashboard.ts'
import * as account from './features/staff/dashboard-account.ts'
import * as signIn from './features/staff/dashboard-sign-in.ts'
import * as team from './features/staff/dashboard-team.ts'
import { type DashboardRoute, dashboardRoute } from './http/dashboard/route.ts'
import type { Services } from './routes.ts'

/**
 * The route table of the dashboard's own API, below `/dashboard/api`: who may use an endpoint is a column.
 * `permissions` in src/domain/staff.ts says which roles have which permission.
 */
// biome-ignore format: one row per endpoint, to be read as a table
export const dashboardRoutes: readonly DashboardRoute<Services>[] = [
  dashboardRoute({ get:    '/session',                                   may: 'signed_in',       ...signIn.readSessionRoute }),
  dashboardRoute({ post:   '/sign-in',                                   may: 'anyone',          ...signIn.signInRoute }),
  dashboardRoute({ post:   '/sign-in/second-factor',                     may: 'anyone',          ...signIn.secondFactorRoute }),
  dashboardRoute({ post:   '/sign-in/passkey/options',                   may: 'anyone',          ...signIn.passkeyOptionsRoute }),
  dashboardRoute({ post:   '/sign-in/passkey',                           may: 'anyone',          ...signIn.passkeySignInRoute }),
  dashboardRoute({ post:   '/sign-out',                                  may: 'signed_in',       ...signIn.signOutRoute }),
  dashboardRoute({ post:   '/password/forgot',                           may: 'anyone',          ...signIn.forgotRoute }),
  dashboardRoute({ post:   '/links/open',                                may: 'anyone',          ...signIn.openLinkRoute }),
  dashboardRoute({ post:   '/links/accept',                              may: 'anyone',          ...signIn.acceptLinkRoute }),
  dashboardRoute({ get:    '/sessions',                                  may: 'signed_in',       ...account.listSessionsRoute }),
  dashboardRoute({ delete: '/sessions/:sessionUuid',                     may: 'signed_in',       ...account.endSessionRoute }),
  dashboardRoute({ post:   '/sessions/end-others',                       may: 'signed_in',       ...account.endOthersRoute }),
  dashboardRoute({ get:    '/account',                                   may: 'signed_in',       ...account.readAccountRoute }),
  dashboardRoute({ patch:  '/account',                                   may: 'signed_in',       ...account.changeAccountRoute }),
  dashboardRoute({ post:   '/account/password',                          may: 'signed_in',       ...account.passwordRoute }),
  dashboardRoute({ post:   '/account/totp/begin',                        may: 'signed_in',       ...account.beginTotpRoute }),
  dashboardRoute({ post:   '/account/totp/confirm',                      may: 'signed_in',       ...account.confirmTotpRoute }),
  dashboardRoute({ post:   '/account/totp/remove',                       may: 'signed_in',       ...account.removeTotpRoute }),
  dashboardRoute({ post:   '/account/recovery-codes',                    may: 'signed_in',       ...account.recoveryCodesRoute }),
  dashboardRoute({ get:    '/account/passkeys',                          may: 'signed_in',       ...account.listPasskeysRoute }),
  dashboardRoute({ post:   '/account/passkeys/options',                  may: 'signed_in',       ...account.passkeyRegistrationRoute }),
  dashboardRoute({ post:   '/account/passkeys',                          may: 'signed_in',       ...account.addPasskeyRoute }),
  dashboardRoute({ delete: '/account/passkeys/:passkeyUuid',             may: 'signed_in',       ...account.removePasskeyRoute }),
  dashboardRoute({ get:    '/mails',                                     may: 'signed_in',       ...team.listMailsRoute }),

  dashboardRoute({ get:    '/merchants',                                 may: 'operator',        ...listAllMerchants }),
  dashboardRoute({ get:    '/merchants/:merchantId',                     may: 'view',            ...readOneMerchant }),
  dashboardRoute({ get:    '/merchants/:merchantId/overview',            may: 'view',            ...readOneOverview }),
  dashboardRoute({ get:    '/merchants/:merchantId/overview.csv',        may: 'view',            ...downloadOverview }),
  dashboardRoute({ get:    '/merchants/:merchantId/checklist',           may: 'view',            ...readOneChecklist }),

  dashboardRoute({ get:    '/merchants/:merchantId/team',                may: 'view',            ...team.readTeamRoute }),
  dashboardRoute({ post:   '/merchants/:merchantId/team/invitations',    may: 'manage_team',     ...team.inviteRoute }),
  dashboardRoute({ delete: '/merchants/:merchantId/team/invitations/:linkUuid', may: 'manage_team', ...team.withdrawRoute }),
  dashboardRoute({ patch:  '/merchants/:merchantId/team/:staffUuid',     may: 'manage_team',     ...team.changeRoleRoute }),
  dashboardRoute({ delete: '/merchants/:merchantId/team/:staffUuid',     may: 'manage_team',     ...team.removeMemberRoute }),
  dashboardRoute({ get:    '/merchants/:merchantId/requests',            may: 'view',            ...listRequests }),
  dashboardRoute({ get:    '/merchants/:merchantId/audit',               may: 'read_audit',      ...listAudit }),
  dashboardRoute({ get:    '/merchants/:merchantId/audit.csv',           may: 'read_audit',      ...downloadAudit }),
]
