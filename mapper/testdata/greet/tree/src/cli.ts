// Command line of the sample project.
import { greet } from "./greet";

function printUsage() {}

greet(process.argv[2]);
