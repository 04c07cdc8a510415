import { changeAutomatedDeletion, showAutomatedDeletion } from './page.ts'

export const operations = [showAutomatedDeletion, changeAutomatedDeletion]
