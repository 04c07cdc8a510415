import type { Translator } from '../../platform/i18n/index.ts'

/** The name of the action of a strike. */
export function actionLabel(translator: Translator, action: string): string {
  const key = `strike.${action}`
  return translator.has(key) ? translator.t(key) : action
}
