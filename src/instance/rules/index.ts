/** The server's rules. */
export { renderRules, type Rule } from './show.ts'
export { addRule, changeRule, deleteRule, ruleErrorOf, MAX_RULE_CHARACTERS, moveRule } from './write.ts'
