/** How often passwords and codes have been guessed wrong within the hour, in all processes. */
export { failuresOf, noteFailure } from './guesses.ts'
