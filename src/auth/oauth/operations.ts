import { showAuthorizedApplications, revokeApplication } from './applications.ts'
import { approve, deny, showConsent } from './authorize.ts'
import { refuseApplicationPages } from './disabled.ts'
import { introspectToken } from './introspect.ts'
import { showServerMetadata } from './metadata.ts'
import { showCode } from './native.ts'
import { revokeAccess } from './revoke.ts'
import { showTokenInfo } from './token_info.ts'
import { issueToken } from './token.ts'
import { showUserinfo } from './userinfo.ts'

export const operations = [
  showConsent,
  approve,
  deny,
  showCode,
  issueToken,
  revokeAccess,
  introspectToken,
  showTokenInfo,
  showUserinfo,
  showServerMetadata,
  showAuthorizedApplications,
  revokeApplication,
  refuseApplicationPages,
]
