import { Logger, Module } from "@nestjs/common";
import { Notetaker } from "notetaker-sdk";

@Module({
  providers: [
    {
      provide: Notetaker,
      useFactory: () => {
        const nestLogger = new Logger("Notetaker");
        return new Notetaker({
          logger: (level, message, fields) =>
            nestLogger[level === "info" ? "log" : level](message, fields),
        });
      },
    },
  ],
  exports: [Notetaker],
})
export class NotetakerModule {}
