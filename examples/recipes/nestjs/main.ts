import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { NotetakerModule } from "./notetaker.module.js";
import { WebhookController } from "./webhook.controller.js";

@Module({ imports: [NotetakerModule], controllers: [WebhookController] })
class AppModule {}

const app = await NestFactory.create(AppModule, {
  rawBody: true,
  logger: ["error", "warn", "log", "debug"],
});
app.enableShutdownHooks();
await app.listen(process.env.PORT ?? 3000, "127.0.0.1");
console.log(`listening on ${await app.getUrl()}`);
