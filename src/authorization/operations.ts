import { introspectToken } from './introspect.ts'
import { showServerMetadata } from './metadata.ts'
import { revokeAccess } from './revoke.ts'
import { showTokenInfo } from './token-info.ts'
import { issueToken } from './token.ts'
import { showUserinfo } from './userinfo.ts'

export const operations = [issueToken, revokeAccess, introspectToken, showTokenInfo, showUserinfo, showServerMetadata]
