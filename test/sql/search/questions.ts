/** What was said in thirteen languages; words of it, as somebody remembers them; and other forms of the words. */
type Row = readonly [said: string, words: string, forms: string];

export const SAID: Readonly<Record<string, readonly Row[]>> = {
  English: [
    [
      "We agreed that the renewal price stays at four thousand euros until spring.",
      "renewal price four thousand",
      "renewing at what prices",
    ],
    [
      "Marta will migrate the billing database before the audit in October.",
      "billing database audit",
      "migrating databases for auditors",
    ],
    [
      "The customer's warehouse in Leeds loses about nine parcels each week.",
      "warehouse Leeds parcels",
      "losing a parcel in warehouses",
    ],
    [
      "I don’t want another outage like the one on Black Friday.",
      "don't outage Black Friday",
      "outages on black fridays",
    ],
    [
      "Could the interns rewrite our onboarding checklist?",
      "interns onboarding checklist",
      "intern rewriting checklists",
    ],
    [
      "Legal rejected clause seventeen because of the penalty.",
      "clause seventeen penalty",
      "legally rejecting clauses with penalties",
    ],
  ],
  German: [
    [
      "Wir verlängern den Mietvertrag um zwei Jahre, wenn die Heizung repariert wird.",
      "Mietvertrag Heizung repariert",
      "Verlängerung der Mietverträge",
    ],
    [
      "Der Wirtschaftsprüfer möchte die Straßenbaukosten von März sehen.",
      "Wirtschaftsprüfer strassenbaukosten",
      "Wirtschaftsprüfung der Straßenbaukosten",
    ],
    [
      "Frau Özdemir übernimmt die Schulung der Außendienstmitarbeiter.",
      "schulung aussendienstmitarbeiter",
      "Schulungen für Außendienst übernehmen",
    ],
    [
      "Die Lieferung aus Köln kam mit beschädigten Kühlgeräten an.",
      "Lieferung koln Kühlgeräten",
      "gelieferte Kühlgeräte Beschädigung",
    ],
    [
      "Bis Freitag brauchen wir ein Angebot für zwanzig Gabelstapler.",
      "Angebot zwanzig Gabelstapler",
      "Angebote zu Gabelstaplern",
    ],
    ["Das Passwort für den Testserver steht im Umschlag.", "Passwort Testserver Umschlag", "Passwörter der Testserver"],
  ],
  French: [
    [
      "L’équipe propose de reporter l'inauguration du magasin à Orléans.",
      "équipe inauguration Orléans",
      "inaugurer des magasins reportés",
    ],
    [
      "Nous avons signé l’accord avec le fournisseur de chaussures.",
      "accord fournisseur chaussures",
      "signature des accords avec fournisseurs",
    ],
    [
      "Il manque trois factures d'électricité pour l'été dernier.",
      "factures électricité été",
      "facture électrique manquante",
    ],
    [
      "La traductrice a corrigé le cahier des charges hier soir.",
      "traductrice cahier des charges",
      "traduction corrigée des cahiers",
    ],
    [
      "Le camion frigorifique tombe en panne chaque semaine.",
      "camion frigorifique panne",
      "camions frigorifiques en pannes",
    ],
    [
      "On embauchera deux ingénieures après la levée de fonds.",
      "deux ingénieures levée de fonds",
      "embaucher une ingénieure",
    ],
  ],
  Spanish: [
    [
      "Mañana enviaremos la propuesta del gasoducto al ministerio.",
      "manana propuesta gasoducto",
      "propuestas de gasoductos enviadas",
    ],
    [
      "El dueño de la panadería quiere pagar en doce cuotas.",
      "panadería doce cuotas",
      "panaderías que pagan por cuota",
    ],
    [
      "Faltan las firmas de los abogados en el testamento.",
      "firmas abogados testamento",
      "firmar el testamento con un abogado",
    ],
    [
      "Cambiaremos las bombillas del almacén durante las vacaciones.",
      "bombillas almacén vacaciones",
      "cambio de bombilla en almacenes",
    ],
    [
      "La impresora del tercer piso no reconoce el cartucho.",
      "impresora cartucho",
      "impresoras y cartuchos sin reconocer",
    ],
    ["Rocío dirigirá la campaña de vacunación en Cádiz.", "rocio vacunacion cadiz", "campañas para vacunar"],
  ],
  Turkish: [
    ["Sözleşmeyi gelecek ay İstanbul'da imzalayacağız.", "sözleşmeyi İstanbul imzalayacağız", "sözleşme imzalamak"],
    ["Fabrikadaki ısıtma kazanı yine arızalandı.", "fabrikadaki ısıtma kazanı", "fabrika kazanları arıza"],
    ["Muhasebe ekibi faturaları Çarşamba günü gönderecek.", "muhasebe faturaları çarşamba", "fatura gönderme"],
    ["Kapıdaki güvenlik kamerasını değiştirmemiz gerekiyor.", "GÜVENLİK KAMERASINI", "kameralar değişecek"],
    ["Yeni depoya otuz raf sipariş ettik.", "depoya otuz raf", "depo için raflar"],
    ["Danışman, bütçenin yarısını reklama ayırdı.", "danışman bütçenin reklama", "danışmanlar ve reklam bütçesi"],
  ],
  Russian: [
    ["Мы продлеваем договор аренды ещё на полгода.", "договор аренды полгода", "продление договоров"],
    ["Бухгалтер нашёл ошибку в отчёте за январь.", "бухгалтер ошибку отчете", "ошибки бухгалтера в отчётах"],
    [
      "Поставщик из Казани задержал холодильники.",
      "поставщик Казани холодильники",
      "задержка холодильника поставщиком",
    ],
    ["Новый логотип не понравился директору музея.", "логотип директору музея", "логотипы музеев"],
    ["Ёлку привезут в офис двадцатого декабря.", "елку офис двадцатого", "ёлка в офисе в декабре"],
    ["Инженеры проверят насосы на скважине.", "инженеры насосы скважине", "проверка насоса инженером"],
  ],
  Arabic: [
    ["سنجدد عقد الإيجار لمدة سنتين بعد موافقة المدير.", "عقد الإيجار المدير", "نجدد العقد لمدة"],
    ["المحاسب أرسل الفواتير إلى مكتب القاهرة.", "المحاسب الفواتير القاهرة", "محاسب القاهرة أرسل"],
    ["تأخرت شحنة التمور بسبب العاصفة.", "شحنة التمور العاصفة", "شحنات التمور بسبب"],
    ["نحتاج مترجمة للاجتماع مع الوفد الياباني.", "مترجمة الوفد الياباني", "مترجمات الوفد"],
    ["المصنع في الرباط يوظف عشرين مهندسا.", "المصنع الرباط مهندسا", "المصنعون عشرين مهندسا"],
    ["كلمة المرور محفوظة في الخزنة، أليس كذلك؟", "كلمة المرور الخزنة", "كلمات المرور محفوظات"],
  ],
  Hebrew: [
    ["נחדש את חוזה השכירות לשנתיים נוספות.", "חוזה השכירות לשנתיים", "לחדש חוזה שכירות נוספות"],
    ["רואה החשבון ביקש את הקבלות מחיפה.", "רואה החשבון הקבלות", "ביקשו קבלות מחיפה"],
    ["המשלוח של הרהיטים הגיע שבור.", "המשלוח הרהיטים שבור", "משלוחים הרהיטים שבורים"],
    ["ג׳ירפה היא הסמל החדש של החברה.", "ג'ירפה הסמל", "סמלים ג׳ירפה"],
    ["המתכנתת תתקן את התקלה בשרת הגיבוי.", "המתכנתת התקלה בשרת", "מתכנתת תתקן תקלות"],
    ["הפגישה עם משרד הבריאות נדחתה לאפריל.", "משרד הבריאות לאפריל", "פגישות משרד נדחתה"],
  ],
  Hindi: [
    ["हम किराये का अनुबंध दो साल के लिए बढ़ाएँगे।", "किराये अनुबंध दो साल", "अनुबंधों को बढ़ाना"],
    ["लेखाकार ने जयपुर के बिल भेज दिए हैं।", "लेखाकार जयपुर बिल", "लेखाकारों के बिलों"],
    ["नई फैक्ट्री में बीस मशीनें लगेंगी।", "फैक्ट्री बीस मशीनें", "फैक्ट्रियों की मशीनों"],
    ["ग्राहक को पुराना मूल्य चाहिए था।", "ग्राहक पुराना मूल्य", "ग्राहकों का मूल्यों"],
    ["परीक्षण का परिणाम सोमवार को आएगा।", "परीक्षण परिणाम सोमवार", "परीक्षणों के परिणामों"],
    ["वकील ने धारा सत्रह हटाने को कहा।", "वकील धारा सत्रह", "वकीलों की धाराएँ"],
  ],
  Thai: [
    ["เราจะต่อสัญญาเช่าสำนักงานอีกสองปี", "สัญญาเช่าสำนักงาน", "ต่อสัญญาสำนักงาน"],
    ["นักบัญชีส่งใบแจ้งหนี้ไปเชียงใหม่แล้ว", "นักบัญชี ใบแจ้งหนี้ เชียงใหม่", "บัญชีที่เชียงใหม่"],
    ["ตู้เย็นในโกดังเสียทุกสัปดาห์", "ตู้เย็น โกดัง", "โกดังมีตู้เย็นเสีย"],
    ["ลูกค้าขอส่วนลดสิบเปอร์เซ็นต์", "ลูกค้า ส่วนลด", "ขอส่วนลดของลูกค้า"],
    ["วิศวกรจะตรวจปั๊มน้ำวันศุกร์", "วิศวกร ปั๊มน้ำ วันศุกร์", "ตรวจปั๊มน้ำ"],
    ["รหัสผ่านอยู่ในซองสีแดง", "รหัสผ่าน ซองสีแดง", "ซองรหัสผ่าน"],
  ],
  Japanese: [
    ["契約の更新料は四千ユーロのままにします。", "更新料 四千ユーロ", "契約を更新する料金"],
    ["会計士が福岡の請求書を送りました。", "会計士 福岡 請求書", "請求書を会計士に送る"],
    ["倉庫の冷蔵庫が毎週故障しています。", "倉庫の冷蔵庫", "冷蔵庫の故障"],
    ["新しいロゴは館長に好評でした。", "ロゴ 館長", "館長はロゴが好き"],
    ["火曜日までにフォークリフトの見積もりが必要です。", "フォークリフト 見積もり", "見積もりをフォークリフトに"],
    ["ＧＰＴ４で議事録を要約しましょう。", "GPT4 議事録", "議事録の要約"],
  ],
  Chinese: [
    ["我们把办公室的租约延长两年。", "租约 延长两年", "延长办公室租约"],
    ["会计已经把发票寄到成都了。", "会计 发票 成都", "寄发票的会计"],
    ["仓库里的冰箱每个星期都坏。", "仓库 冰箱", "坏的冰箱"],
    ["客户要求百分之十的折扣。", "客户 折扣", "给客户折扣"],
    ["工程师星期五检查水泵。", "工程师 水泵", "检查水泵"],
    ["密码放在红色的信封里。", "密码 信封", "红色信封"],
  ],
  Korean: [
    ["임대 계약을 이 년 더 연장하기로 했습니다.", "임대 계약을 연장하기로", "임대 계약 연장"],
    ["회계사가 부산 청구서를 보냈어요.", "회계사가 부산 청구서를", "회계사 청구서"],
    ["창고의 냉장고가 매주 고장 납니다.", "창고의 냉장고가", "창고 냉장고 고장"],
    ["고객이 십 퍼센트 할인을 요구했습니다.", "고객이 할인을", "고객 할인 요구"],
    ["기술자가 금요일에 펌프를 점검합니다.", "기술자가 펌프를 점검합니다", "펌프 점검"],
    ["비밀번호는 빨간 봉투 안에 있어요.", "비밀번호는 빨간 봉투", "봉투 비밀번호"],
  ],
};
