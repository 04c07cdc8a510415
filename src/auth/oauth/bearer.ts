import type { Request } from '../../platform/http/index.ts'
import { presentedToken } from '../../platform/http/authorize.ts'
import type { Token } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'

/** The valid token that authenticates a protocol request, or undefined. */
export async function presentedLiveToken(
  { tokens }: Pick<Services, 'tokens'>,
  request: Request,
  parameters: { access_token: string | undefined; bearer_token: string | undefined },
): Promise<{ presented: boolean; token: Token | undefined }> {
  const { access_token = '', bearer_token = '' } = parameters
  const secret = presentedToken(request, { access_token, bearer_token })
  const found = secret === undefined ? undefined : await tokens.find(secret)
  return { presented: secret !== undefined, token: found?.revoked === false ? found : undefined }
}

/** UNIX time in seconds. */
export const unixSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)
