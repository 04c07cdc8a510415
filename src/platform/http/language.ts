import type { Config } from '../../core/config.ts'
import { chooseLanguage, type TextLanguage } from '../i18n/index.ts'
import type { Request } from './request.ts'

/**
 * The language of a page: that of the parameter `lang`, of the user, of the browser, or of the
 * server, whichever is the first with texts.
 * @param locale of the user who is signed in; default: of the one whose session the request has
 * opened
 */
export const pageLanguage = (
  request: Request,
  { defaultLocale }: Pick<Config, 'defaultLocale'>,
  locale: string | null | undefined = request.learned.locale,
): TextLanguage =>
  chooseLanguage(
    new URLSearchParams(request.query).get('lang'),
    locale,
    request.header('accept-language'),
    defaultLocale,
  )
